/** The pages beside a match that store something: a step is taken back, put back, corrected, or noted on. The list of
 *  past matches only asks.
 */

import { byId } from "./dom.js";
import { listen } from "./forms.js";
import * as over from "./over.js";
import "./typed.js";
import { queue } from "../net/queue.js";
import { drawQueue } from "../match/queue_list.js";
import { at } from "../net/root.js";

const { match } = byId("main").dataset;
/** @param {string} then */
const go = (then) => then && location.assign(then);

listen(go);
over.drawPanel(byId("main"));
over.listen(() => go(at(`/m/${match}`)));
addEventListener("online", () => queue.send());
if (match) queue.begin(String(match), { drawn: () => drawQueue(null), stored: () => go(at(`/m/${match}`)) }).then(() => queue.send());

/** What has not come to the server yet, kept in this browser over a reload; a match has one of each kind, but of wholes.
 *
 *  In IndexedDB, as a photo is too large for the storage of a session; pages without https have it too. A browser
 *  may keep nothing, as in a private window: then what waits is lost with the page.
 */

const KINDS = ["photos", "drafts", "steps", "wholes"]; // not read yet; read, but not confirmed; confirmed, but not answered; read in part
let order = Promise.resolve(); // what is kept first is forgotten first

function opened() {
  const opening = indexedDB.open("pipsight", 3);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    for (const kind of KINDS) if (!result.objectStoreNames.contains(kind)) result.createObjectStore(kind);
  };
  return answered(opening);
}

function answered(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

/** Do something with a store, after all that was asked for before; return null where nothing is kept. */
function inTurn(kind, mode, act) {
  order = order.then(async () => {
    const database = await opened();
    const answer = await answered(act(database.transaction(kind, mode).objectStore(kind)));
    database.close();
    return answer ?? null;
  }).catch(() => null);
  return order;
}

const shelf = (kind) => ({
  keep: (match, waiting) => inTurn(kind, "readwrite", (store) => store.put(waiting, match)),
  kept: (match) => inTurn(kind, "readonly", (store) => store.get(match)),
  forget: (match) => inTurn(kind, "readwrite", (store) => store.delete(match)),
  all: () => inTurn(kind, "readonly", (store) => store.getAllKeys()),
});

/** Photos {photo, spot, kind, since}: the picture, and what it was taken for. */
export const photos = shelf("photos");

/** Drafts as JSON keeps them (draft.js). */
export const drafts = shelf("drafts");

/** Steps {sent, says, kind}: as they go to the server, in words, and to which address (steps.js). */
export const steps = shelf("steps");

/** Whole photos {match, photo, since}, by the sighting of the part that the server has read (wholes.js). */
export const wholes = shelf("wholes");

/** A page as far as scripts need one to be loaded without a browser, and a server that answers as a test says. */

const element = () => ({ getContext: () => ({}), style: {}, setAttribute() {}, append() {} });
globalThis.document = { documentElement: { lang: "en" }, getElementById: () => null, createElement: element, hidden: false };
globalThis.matchMedia = () => ({ matches: false });
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });

/** The other tabs of this browser: `tabs.onmessage({data})` is what they say. */
export const tabs = { postMessage() {}, close() {} };
globalThis.BroadcastChannel = function BroadcastChannel() { return tabs; };

/** What the server was asked, each {path, sent}; `answers` {status, body} are taken in turn, after the last it is away. */
export const server = { asked: [], answers: [] };
export const stored = (seq) => ({ status: 201, body: { seq } });
export const refused = (status, kind, sentence = kind) => ({ status, body: { error: { kind, sentence } } });

globalThis.fetch = async (path, { body } = {}) => {
  const sent = typeof body === "string" ? JSON.parse(body) : (body ?? null);
  server.asked.push({ path, sent });
  const next = server.answers.shift();
  if (!next) throw new TypeError("fetch failed");
  const { status, body: answer } = next;
  return { ok: status < 300, status, text: async () => JSON.stringify(answer) };
};

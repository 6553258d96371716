/** What this browser keeps until the server has it, over a reload: the entries of the queue (queue.js), and whole photos.
 *
 *  In IndexedDB, as a photo is too large for the storage of a session; pages without https have it too. A browser
 *  may keep nothing, as in a private window: then what waits is lost with the page.
 */

const STORES = ["entries", "wholes"];
/** @type {Promise<any>} */
let order = Promise.resolve(); // what is kept first is forgotten first

function opened() {
  const opening = indexedDB.open("pipsight", 4);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    for (const name of result.objectStoreNames) if (!STORES.includes(name)) result.deleteObjectStore(name);
    for (const name of STORES) if (!result.objectStoreNames.contains(name)) result.createObjectStore(name);
  };
  return answered(opening);
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answered(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

/** Do something with a store, after all that was asked for before; return null where nothing is kept.
 *  @param {string} name @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} act */
function inTurn(name, mode, act) {
  order = order.then(async () => {
    const database = await opened();
    const transaction = database.transaction(name, mode);
    const ended = new Promise((done, fail) => [transaction.oncomplete, transaction.onabort] = [done, fail]);
    const [answer] = await Promise.all([answered(act(transaction.objectStore(name))), ended]);
    database.close();
    return answer ?? null;
  }).catch(() => null);
  return order;
}

/** Resolve once all that was to be kept so far is, or cannot be: before it is said that it waits. */
export const written = () => order;

/** @typedef {IDBValidKey} Key */

/** @param {string} name */
const shelf = (name) => ({
  /** @param {Key} key @param {any} value */
  keep: (key, value) => inTurn(name, "readwrite", (store) => store.put(value, key)),
  /** @param {Key} key */
  kept: (key) => inTurn(name, "readonly", (store) => store.get(key)),
  /** @param {Key} key */
  forget: (key) => inTurn(name, "readwrite", (store) => store.delete(key)),
  keys: () => inTurn(name, "readonly", (store) => store.getAllKeys()),
  /** @param {Key} key */
  below: (key) => inTurn(name, "readonly", (store) => store.getAll(IDBKeyRange.bound([key], [key, []]))),
});

/** Entries of the queues, by [match, place]. */
export const entries = shelf("entries");

/** Whole photos {match, photo, since}, by the sighting of the part that the server has read (wholes.js). */
export const wholes = shelf("wholes");

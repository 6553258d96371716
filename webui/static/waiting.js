/** The photo that has not been read yet, kept in this browser over a reload; a match has one.
 *
 *  In IndexedDB, as it is too large for the storage of a session; pages without https have it too. A browser may
 *  keep nothing, as in a private window: then a photo is as lost as before.
 */

const STORE = "photos";
let order = Promise.resolve(); // what is kept first is forgotten first

function opened() {
  const opening = indexedDB.open("pipsight", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return answered(opening);
}

function answered(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

/** Do something with the store, after all that was asked for before; return null where nothing is kept. */
function inTurn(mode, act) {
  order = order.then(async () => {
    const database = await opened();
    const answer = await answered(act(database.transaction(STORE, mode).objectStore(STORE)));
    database.close();
    return answer ?? null;
  }).catch(() => null);
  return order;
}

/** Keep {photo, spot, kind, since} of a match: the picture, and what it was taken for. */
export const keepPhoto = (match, waiting) => inTurn("readwrite", (store) => store.put(waiting, match));

export const keptPhoto = (match) => inTurn("readonly", (store) => store.get(match));

export const forgetPhoto = (match) => inTurn("readwrite", (store) => store.delete(match));

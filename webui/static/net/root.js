/** Where the app is: at the top of its host, or below a path of it. Scripts themselves lie below it. */

const { pathname } = new URL(import.meta.url);

/** "" or "/pipsight", of this server as this browser reaches it. */
export const ROOT = pathname.slice(0, pathname.lastIndexOf("/static/"));

/** Return the address of a `path` of the server.
 *  @param {string} path */
export const at = (path) => ROOT + path;

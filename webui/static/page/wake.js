/** Keeps the screen on while the page is in sight, where the browser can: secure pages only. */

/** Hold the screen on as long as `wanted()`; return what to call when that has changed.
 *  @param {() => boolean} wanted */
export function stayAwake(wanted) {
  /** @type {WakeLockSentinel | null} */
  let lock = null;

  async function hold() {
    if (!wanted()) {
      lock?.release();
      lock = null;
    } else if (!document.hidden && (!lock || lock.released)) {
      lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    }
  }

  document.addEventListener("visibilitychange", hold); // a browser lets go of it while the page is hidden
  hold();
  return hold;
}

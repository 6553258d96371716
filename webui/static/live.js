/** Follows a match: a stream of step numbers, and a look every few seconds where none comes. */

const POLL = 3000; // ms

/** Call `hear(seq)` for each step stored, and `tell("live" | "polling" | "away")` on changes.
 *  `hear` returns a promise; it fails while the server cannot be reached. Return the same `hear`
 *  for steps heard of in another way: it never fails, it is tried again until it succeeds. */
export function follow(match, hear, tell) {
  let source = null;
  let timer = null;

  function open() {
    source?.close();
    source = new EventSource(`/api/matches/${match}/live`);
    // What could not be fetched before is still fetched by poll: the stream does not send it again.
    source.addEventListener("open", () => tell("live"));
    source.addEventListener("seq", (event) => {
      hearAtLast(Number(event.lastEventId || event.data));
    });
    source.addEventListener("next", () => hearAtLast(null)); // the same players go on with another match
    source.addEventListener("error", poll);
  }

  function poll() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const reached = await hear(null).then(() => true, () => false);
      if (reached && source.readyState === EventSource.OPEN) return tell("live");
      tell(reached ? "polling" : "away");
      if (source.readyState === EventSource.CLOSED) open(); // the browser gave up; it must not
      poll();
    }, POLL);
    if (source.readyState !== EventSource.OPEN) tell("away");
  }

  const hearAtLast = (seq) => hear(seq).catch(poll);

  // A hidden page needs no stream: it saves the phone's battery and one of the browser's few
  // connections to a host. What happened meanwhile is fetched on return.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      clearTimeout(timer);
      source.close();
    } else {
      open();
      hearAtLast(null);
    }
  });
  open();
  return hearAtLast;
}

/** A camera for tests: a film that goes on whenever the page has looked at it, not with the clock.
 *
 *  So a slow machine sees what a fast one sees. A real camera's track and stream, of a canvas.
 */
{
  let film = null;
  let at = 0;
  let since = null;
  let paint = null;

  // The clock of the page goes on by so many ms at most between two looks at it: a machine that is
  // busy, or a server that answers late, is no camera that has stalled.
  const MOST_MS = 250;
  const clock = performance.now.bind(performance);
  let [page_ms, clock_ms] = [clock(), clock()];
  performance.now = () => {
    const before = clock_ms;
    clock_ms = clock();
    page_ms += Math.min(clock_ms - before, MOST_MS);
    return page_ms;
  };

  async function draw(pen, pictures) {
    const bytes = Uint8Array.from(atob(pictures[Math.floor(at)]), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    pen.canvas.width = picture.width;
    pen.canvas.height = picture.height;
    pen.drawImage(picture, 0, 0);
  }

  navigator.mediaDevices.getUserMedia = async () => {
    film ??= fetch("/film.json").then((answer) => answer.json());
    const { pictures } = await film;
    const pen = document.createElement("canvas").getContext("2d");
    const stream = pen.canvas.captureStream();
    paint = () => draw(pen, pictures);
    await paint();
    setTimeout(paint, 50); // what was drawn before anybody looked is not sent
    return stream;
  };

  const { prototype } = CanvasRenderingContext2D;
  const drawn = prototype.drawImage;
  prototype.drawImage = function (...given) {
    drawn.apply(this, given);
    if (given[0] instanceof HTMLVideoElement && this.canvas.width < 200) goOn(); // a thumbnail
  };

  async function goOn() {
    const { fps, most_s, pictures } = await film;
    const now = performance.now() / 1000;
    at = Math.min(pictures.length - 1, at + fps * Math.min(now - (since ?? now), most_s));
    since = now;
    await paint();
  }

  window.windBack = () => (at = 0);
}

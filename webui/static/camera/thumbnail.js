/** Small grey pictures of what a camera sees, to compare one with the next. */

const LONGEST = 160; // px of the longer side of a thumbnail; a die has three px or more

/** @typedef {CanvasRenderingContext2D} Pen */

/** Return a pen for thumbnails.
 *  @returns {Pen} */
export const thumbnailPen = () => /** @type {Pen} */ (document.createElement("canvas").getContext("2d", { willReadFrequently: true, alpha: false }));

/** Whether the first picture of a camera is there; its width may be known before, and what is drawn until then is black.
 *  @param {HTMLVideoElement} video */
export const shows = (video) => video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;

/** Return a thumbnail of a video or picture of so many px: its `grey` levels and its sides.
 *  @param {Pen} pen @param {CanvasImageSource} source @param {number} width @param {number} height @returns {Thumbnail} */
export function thumbnail(pen, source, width, height) {
  const { canvas } = pen;
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  pen.imageSmoothingQuality = "medium"; // all px count, so that noise does not
  pen.drawImage(source, 0, 0, wide, high);
  const { data } = pen.getImageData(0, 0, wide, high);
  const grey = new Float32Array(data.length / 4);
  for (let i = 0; i < grey.length; i++) grey[i] = (data[4 * i] + 2 * data[4 * i + 1] + data[4 * i + 2]) / 4;
  return { grey, width: wide, height: high };
}

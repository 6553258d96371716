/** What scripts find on a page and in a browser, besides what every page has. */

/** Elements of the pages (webui/templates) that are more than an HTMLElement, by id. */
interface PageElements {
  board: HTMLElement & { firstElementChild: HTMLElement };
  camera: HTMLInputElement;
  retake: HTMLInputElement;
  "to-secure": HTMLAnchorElement;
  "busy-bar": HTMLProgressElement;
  chooser: HTMLDialogElement;
  corners: HTMLDialogElement;
  "corners-view": SVGSVGElement;
  gone: HTMLDialogElement;
  picker: HTMLDialogElement;
  gallery: HTMLInputElement;
  picture: HTMLCanvasElement;
  rule: HTMLDialogElement;
  "rule-all": HTMLAnchorElement;
  save: HTMLAnchorElement;
  spot: HTMLSelectElement;
  "track-row": HTMLInputElement;
  "track-turns": HTMLInputElement;
  "watch-cameras": HTMLLabelElement;
  "watch-picture": HTMLImageElement;
  "watch-video": HTMLVideoElement;
  overlay: SVGSVGElement;
  phones: HTMLDetailsElement;
  photo: HTMLImageElement;
}

/** Asks for the value of a promise, or has it. */
type Later<T> = T | Promise<T>;

/** What the server refuses, or that it could not be asked (net/api.js). */
interface Fault extends Error {
  kind: string;
  rule?: string;
}

interface Navigator {
  connection?: { downlink?: number; type?: string; saveData?: boolean };
  deviceMemory?: number;
}

interface SharedWorkerGlobalScope {
  addEventListener(name: "connect", heard: (event: MessageEvent) => void): void;
}
declare function addEventListener(name: "connect", heard: (event: MessageEvent) => void): void;

/** [x, y] in px of a picture. */
type Point = number[];

/** The four corners of a face, clockwise from its top left. */
type Quad = Point[];

/** The numbers that a browser's eyes take from the server's (webui/eyes/preview.py). */
type EyesConstants = Record<string, any>;

/** A face as the detector finds it. */
interface FoundFace {
  quad: Quad;
  middle: Point;
  size: number;
  prob: number;
  agreed: number; // mean of the views that it was looked for on
  values: number[];
  half: number;
}

/** How a face differs from the plain ones in size and in how it lies, and how like it is to the side of a die. */
interface AmongOthers {
  unlike: number;
  tilted: number;
  hangs: number;
}

/** A face that was classified too. */
interface ReadFace extends FoundFace {
  logits: Numbers;
  colours: Numbers;
  mark: number;
  age: number;
  kept?: AmongOthers; // of a face that was carried on from a frame before
  gone?: boolean; // it has no value
  doubted?: boolean; // it may have none
}

type Numbers = Float32Array | number[];

/** A face as a page shows it. */
interface ShownFace {
  quad: Quad;
  middle: Point;
  size: number;
  value: number;
  colour: string;
  colours: [string, number][];
  probs: number[];
  confidence: number;
  sure: boolean;
}

/** A domino; `prob` that its halves are one. */
interface ShownTile {
  quad: Quad;
  halves: ShownFace[];
  prob: number;
  confidence: number;
  sure: boolean;
}

/** What a browser's eyes see on a picture; dominoes and pieces without a value only where they look twice. */
interface Sight {
  faces: ShownFace[];
  tiles: ShownTile[];
  perhaps: Quad[];
  unread: UnreadPiece[];
  cut: boolean; // beside them a piece is cut off at the photo's edge
  light: number;
  around: number[] | null; // what of a camera's next frame is wanted, [left, top, right, bottom]; null: all
}

/** A piece without a value; `kind` by vision/faces/kinds.py. */
interface UnreadPiece {
  kind: string;
  quad: Quad;
  probability: number;
}

/** What they look for; `next` of a camera, whose last faces had such a `side`; `wide`: px of what a smaller picture shows;
 *  `twice`: again where it is not clear. */
interface Wanted {
  twice?: boolean;
  next?: boolean;
  side?: number | null;
  around?: number[] | null;
  wide?: number;
  halves?: boolean;
  colours?: string[];
}

/** Map of a network's answers. */
interface OutputMap {
  data: Float32Array;
  rows: number;
  columns: number;
}

interface Networks {
  detector(data: Float32Array, wide: number, high: number): Promise<OutputMap>;
  classifier(data: Float32Array, count: number): Promise<Float32Array[]>;
  trunk(data: Float32Array, count: number): Promise<number[][]>; // logits of the classes, and what they are computed from
  head(): Promise<Float32Array>; // weights (eyes/kinds.js)
  pairs(data: Float32Array, count: number): Promise<number[]>;
  edges(data: Float32Array, rows: number): Promise<Float32Array>; // logits along an edge (eyes/cut_pieces.js)
}

/** Addresses of what a browser's eyes are made of. */
interface EyesFiles {
  worker: string;
  runtime: string;
  binary: string;
  detector: string;
  classifier: string;
  pairs: string;
  kinds: string;
  edges: string;
  constants: string;
}

/** A place on a board: [row, column], [half, row, column] or [name, number]. */
type Cell = any[];

/** A piece of a draft (look/draft.js). */
interface Piece {
  quad: Quad | null;
  doubt: string | null;
  doubts?: string[];
  drawn?: boolean;
  likely?: any[];
}
interface Die extends Piece {
  value: number;
  colour: string;
  cell: Cell | null;
  on?: Cell | null;
}
interface Tile extends Piece {
  halves: number[];
  cells: Cell[] | null;
  level: number | null;
}
interface Mark extends Piece {
  cell: Cell;
  mark: string;
}
type DieAnswer = { value: number; colour: string; cell?: Cell | null; quad?: Quad | null };

/** A cell of a board, and where it is on the photo. */
type Printed = { cell: Cell; quad: Quad };

type Kind = "grid" | "sheet" | "track" | "tiles" | "hand" | "pool";

/** The pieces that a match asks for (scorer/game.py), as the interface writes them. */
type Equipment = { board: string | null; tiles: number; dice?: number; colours?: Record<string, number>; places: string[]; loose: boolean };

/** The photo of a draft: `href` is what this page shows of it, `stored` the server's. */
type DraftPhoto = { href: string; stored: string; width: number; height: number };

/** A small grey picture (camera/thumbnail.js). */
type Thumbnail = { grey: Float32Array; width: number; height: number };

/** What the page knows of its match (webui/pages/match/context.py, table). */
interface Table {
  replaces?: number; // a step: it is the table before that
  match: string;
  seq: number;
  names: string[];
  score: number[];
  colours?: string[];
  equipment: Equipment & Record<string, any>;
  photographable: boolean;
  seen: boolean;
  learns: boolean;
  over: boolean;
  camera: string | null;
  https: string | null;
  asked: unknown;
}

/** A legal move with its words, as the interface writes them. */
type Legal = { words: string; move: any };

/** What a proposal would count. */
type Preview = { earned: number[]; text?: string[] } | null | undefined;

/** A battery, where a browser tells of it. */
interface Navigator {
  getBattery?: () => Promise<{ charging: boolean }>;
}

/** What a camera can do that not every browser tells of. */
interface CameraAbilities extends MediaTrackCapabilities {
  zoom?: { min: number; max: number };
  torch?: boolean;
}

/** A part of a photo that a sheet shows, [x, y, width, height] in px. */
type Crop = { href: string; width: number; height: number; box: number[] } | null;

/** A mistake put right by one tap. */
interface Mend {
  arrow: string;
  value: number;
  colour: string;
  words: string;
  leads?: string;
  answer: any;
}

/** What a sheet asks about a die (look/picker.js). */
interface PickerQuestion {
  title: string;
  said: string;
  crop: Crop;
  value?: number;
  colour?: string;
  rows?: number;
  columns: number;
  cell?: Cell | null;
  place?: () => Element | null;
  left?: Record<string, number>;
  progress?: string[];
  mends?: Mend[];
  rule?: string;
  other?: () => void;
  free: { cell: Cell; taken: boolean }[] | null;
  owners?: { names: string[]; of: (colour: string) => number; own: (seat: number, colour: string) => void } | null;
}

/** A tile as a sheet asks about it. */
type TileAnswer = Pick<Tile, "halves" | "cells" | "level">;

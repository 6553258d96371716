/** Bundles the scripts and style sheets of the pages, one file each: `make scripts`.
 *
 *  The bundles are committed, so that a server, a wheel and a container need no Node. `joined.sha256` has the hash of
 *  the sources and of the bundles; tests/scripts/test_scripts.py compares it. With --check nothing is written: each
 *  bundle must be what its sources give. */

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const STATIC = join(HERE, "..", "..", "webui", "static");
const JOINED = join(STATIC, "joined");
const DIGEST = join(HERE, "joined.sha256");
const ENTRIES = [
  ...["page/aside", "board/board", "match/match", "page/share", "start/start"], // of pages
  ...["camera/device_camera", "camera/finder", "camera/still_table", "camera/watch", "eyes/sight", "match/deleted", "match/panel", "match/senses"], // imported later
  ...["eyes/eyes_worker", "net/service_worker", "net/shared_stream"], // threads of their own
].map((name) => join(STATIC, `${name}.js`));
const SHEETS = ["board", "look", "rulebook", "rules", "start", "style", "table", "ui"].map((name) => join(STATIC, "styles", `${name}.css`));

const files = readdirSync(STATIC, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /\.(js|css)$/.test(file.name))
  .map((file) => join(file.parentPath, file.name));
const sources = files.filter((path) => dirname(path) !== JOINED);

/** What a script imports later is a bundle beside its own. */
const later = {
  name: "later",
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === "dynamic-import" ? { path: `./${basename(path)}`, external: true } : null)),
};

async function bundled() {
  const { outputFiles } = await build({
    entryPoints: [...ENTRIES, ...SHEETS],
    entryNames: "[name]",
    outdir: JOINED,
    bundle: true,
    minify: true,
    format: "esm",
    target: "esnext",
    charset: "utf8",
    write: false,
    plugins: [later],
  });
  return outputFiles.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Return the hash of sources and bundles, each with its name; Python computes the same. */
function digest(bundles) {
  const contents = [...sources.map((path) => [path, readFileSync(path)]), ...bundles.map(({ path, contents: made }) => [path, made])];
  const named = contents.map(([path, bytes]) => [relative(STATIC, path).split(sep).join("/"), bytes]);
  const hash = createHash("sha256");
  for (const [name, bytes] of named.toSorted(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${name}\n`).update(bytes);
  return `${hash.digest("hex")}\n`;
}

const bundles = await bundled();
if (process.argv.includes("--check")) {
  const stale = digest(bundles) !== readFileSync(DIGEST, "utf8") || bundles.some(({ path, text }) => readFileSync(path, "utf8") !== text);
  if (stale) console.error("webui/static/joined is not what its sources give: run make scripts.");
  process.exitCode = Number(stale);
} else {
  for (const path of files) if (dirname(path) === JOINED) rmSync(path);
  for (const { path, contents } of bundles) writeFileSync(path, contents);
  writeFileSync(DIGEST, digest(bundles));
}

/** Compiles the Python of an archive with the Python that will run it: node compile.mjs PYODIDE APP.ZIP. It starts
 *  twice as fast then. The archive is stored plainly: a host compresses it better than file by file. */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, archive] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide();
python.FS.writeFile("/app.zip", new Uint8Array(readFileSync(archive)));
await python.runPythonAsync(`
import importlib._bootstrap_external as files, zipfile
with zipfile.ZipFile("/app.zip") as packed, zipfile.ZipFile("/out.zip", "w") as made:
    for name in packed.namelist():
        content = packed.read(name)
        if name.endswith(".py"):
            code = compile(content, "/app/" + name, "exec", dont_inherit=True, optimize=2)
            content, name = files._code_to_hash_pyc(code, bytes(8), False), name + "c"
        made.writestr(zipfile.ZipInfo(name), content)
`);
writeFileSync(archive, python.FS.readFile("/out.zip"));

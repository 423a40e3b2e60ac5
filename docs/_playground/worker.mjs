// Python, away from the page: it answers messages `[number, function, arguments]` with `[number, result]`.
import { loadPyodide } from "./pyodide.mjs";

const ready = (async () => {
  const python = await loadPyodide({ indexURL: new URL(".", import.meta.url).href });
  const archive = await (await fetch(new URL("rulekit.zip", import.meta.url))).arrayBuffer();
  python.unpackArchive(archive, "zip", { extractDir: "/app" });
  python.runPython('import sys; sys.path.insert(0, "/app"); import table');
  return python.globals.get("table");
})();

onmessage = async ({ data: [number, name, parameters] }) => {
  try {
    const table = await ready;
    postMessage([number, name ? table[name](...parameters) : "ready"]);
  } catch (error) {
    postMessage([number, `rulekit could not run here: ${error.message ?? error}`]);
  }
};

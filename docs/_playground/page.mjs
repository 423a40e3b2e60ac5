// The page where a visitor edits rules, sees findings, and plays.
const root = document.querySelector("#playground");
if (root) {
  const [code, output, question, status] = ["code", "output", "question", "status"].map((name) => root.querySelector(`.${name}`));
  const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
  const waiting = new Map();
  let count = 0;
  worker.onmessage = ({ data: [number, result] }) => { waiting.get(number)(result); waiting.delete(number); };
  const ask = (name, ...parameters) => new Promise((resolve) => { waiting.set(++count, resolve); worker.postMessage([count, name, parameters]); });

  const COLOURS = { 1: "strong", 2: "quiet", 31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "purple", 36: "cyan", 90: "quiet" };
  const made = (name, words, ...parts) => {
    const element = document.createElement(name);
    element.append(words, ...parts);
    return element;
  };
  const columns = () => {
    // Characters that fit in a line of the output.
    const ruler = output.appendChild(made("span", "0".repeat(100)));
    ruler.className = "ruler";
    const { paddingLeft, paddingRight } = getComputedStyle(output);
    const room = output.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const fit = Math.floor((100 * room) / ruler.getBoundingClientRect().width);
    ruler.remove();
    return fit;
  };
  const show = (text, place = output) => {
    // Colours of a terminal as classes, kinds of findings as links; text is never read as markup.
    let classes = "";
    for (const part of text.split(/\x1b\[([\d;]*)m/).map((it, place) => [it, place % 2])) {
      if (part[1]) { classes = part[0].split(";").map((it) => COLOURS[it] ?? "").join(" "); continue; }
      const [, before, code, name, after] = part[0].match(/^(\w+\[)(RK\d+) ([\w-]+)(\])$/) ?? [];
      const link = made("a", `${code} ${name}`);
      link.href = `../diagnostics/${code}-${name}/`;
      const span = code ? made("span", before, link, after) : made("span", part[0]);
      span.className = classes;
      place.append(span);
    }
  };
  const list = ({ kinds, count }) => {
    // The first finding of each kind; the others of the kind open on demand.
    for (const [kind, [first, ...others]] of kinds) {
      show(`${first}\n`);
      if (!others.length) continue;
      const more = made("details", made("summary", `${others.length} more: ${kind}`));
      others.forEach((it) => show(`${it}\n`, more));
      output.append(more);
    }
    show(count);
  };
  const busy = async (words, work) => {
    status.textContent = words;
    root.querySelectorAll("button").forEach((it) => (it.disabled = true));
    await work();
    root.querySelectorAll("button").forEach((it) => (it.disabled = false));
    status.textContent = "";
  };
  const tell = (state) => {
    for (const [level, left, right] of state.lines ?? []) show(level === "line" ? `\x1b[36m${left}\x1b[0m${right}\n` : `\x1b[1m${left}${right}\x1b[0m\n`);
    question.replaceChildren();
    if (state.kinds) { output.replaceChildren(); list(state); }
    else if (state.trouble) show(`${state.trouble}\n`);
    else if (!state.over) {
      const answers = state.answers.map((name) => button(name, () => play("answer", name)));
      question.append(made("p", `${state.side}: ${state.asked}`), ...answers, button("play on by chance", () => play("answer", "")));
    }
    output.scrollTop = state.kinds ? 0 : output.scrollHeight;
  };
  const button = (words, act) => {
    const element = made("button", words);
    element.className = "md-button";
    element.onclick = act;
    return element;
  };
  const run = async (name, ...parameters) => {
    const result = await ask(name, ...parameters);
    tell(result.startsWith("{") ? JSON.parse(result) : { trouble: result });
  };
  const play = (name, ...parameters) => busy("playing …", () => run(name, ...parameters));
  const check = () => busy("checking …", () => run("check", code.value, columns()));
  // On a phone the output is below the first screen.
  const look = () => root.querySelector(".see").scrollIntoView({ block: "nearest" });
  root.querySelector(".check").onclick = () => check().then(look);
  root.querySelector(".play").onclick = async () => {
    const seed = Math.floor(Math.random() * 1e6);
    output.replaceChildren();
    show(`\x1b[90ma new game, its dice fixed by seed ${seed}\x1b[0m\n`);
    await play("start", code.value, seed, columns());
    look();
  };
  code.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) check(); });
  busy("loading Python (15 MB, once) …", () => ask("")).then(check);
}

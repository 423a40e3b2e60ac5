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
  const show = (text) => {
    // Colours of a terminal as classes; text is never read as markup.
    let classes = "";
    for (const part of text.split(/\x1b\[([\d;]*)m/).map((it, place) => [it, place % 2])) {
      if (part[1]) { classes = part[0].split(";").map((it) => COLOURS[it] ?? "").join(" "); continue; }
      const span = document.createElement("span");
      span.className = classes;
      span.textContent = part[0];
      output.append(span);
    }
  };
  const busy = async (words, work) => {
    status.textContent = words;
    root.querySelectorAll("button").forEach((it) => (it.disabled = true));
    await work();
    root.querySelectorAll("button").forEach((it) => (it.disabled = false));
    status.textContent = "";
  };
  const told = (state) => {
    for (const [level, left, right] of state.lines) show(level === "line" ? `\x1b[36m${left}\x1b[0m${right}\n` : `\x1b[1m${left}${right}\x1b[0m\n`);
    question.replaceChildren();
    if (state.trouble) show(`${state.trouble}\n`);
    else if (!state.over) {
      const head = document.createElement("p");
      head.textContent = `${state.side}: ${state.asked}`;
      question.append(head, ...state.answers.map((name) => button(name, () => play("answer", name))), button("play on by chance", () => play("answer", "")));
    }
    output.scrollTop = output.scrollHeight;
  };
  const button = (words, act) => {
    const made = document.createElement("button");
    made.className = "md-button";
    made.textContent = words;
    made.onclick = act;
    return made;
  };
  const play = (name, ...parameters) => busy("playing …", async () => {
    const result = await ask(name, ...parameters);
    told(result.startsWith("{") ? JSON.parse(result) : { lines: [], trouble: result });
  });
  const check = () => busy("checking …", async () => {
    question.replaceChildren();
    output.replaceChildren();
    show(await ask("check", code.value));
  });
  root.querySelector(".check").onclick = check;
  root.querySelector(".play").onclick = () => { output.replaceChildren(); play("start", code.value, Math.floor(Math.random() * 1e6)); };
  code.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) check(); });
  busy("loading Python (15 MB, once) …", () => ask("")).then(check);
}

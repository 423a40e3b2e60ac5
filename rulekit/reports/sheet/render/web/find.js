const box = document.querySelector(".find");
const input = box.querySelector("input");
const count = box.querySelector("output");
const lines = [...document.querySelectorAll("main li, main tbody tr:not(.section, .across)")];
box.hidden = false;
if (matchMedia("(max-width: 46rem)").matches) document.querySelector(".contents").open = false;
input.oninput = () => {
  const wanted = input.value.trim().toLowerCase();
  let found = 0;
  for (const line of lines) {
    const has = !wanted || line.textContent.toLowerCase().includes(wanted);
    line.classList.toggle("off", !has);
    found += has ? 1 : 0;
  }
  for (const block of document.querySelectorAll("main .block, main .part")) {
    const own = [...block.querySelectorAll("li, tbody tr:not(.section, .across)")];
    block.classList.toggle("off", Boolean(wanted) && !own.some((line) => !line.classList.contains("off")));
  }
  if (wanted) for (const part of document.querySelectorAll("details.part")) part.open = true;
  count.textContent = wanted ? found : "";
};

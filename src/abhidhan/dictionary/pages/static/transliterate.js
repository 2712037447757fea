// Transliterates text while it is typed, and lets the user choose among the readings of a word.
const PAUSE = 150;

export function begin(form) {
  const output = form.querySelector("[data-written]");
  const readings = form.querySelector("[data-readings]");
  const copying = form.querySelector("[data-copying]"); // the button of copy.js
  const chosen = new Map();
  let timer = 0;
  let controller = null;

  form.querySelector("[data-without-script]").hidden = true;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ask);
  form.addEventListener("change", ask);
  // Text may be there already: typed before this script was loaded, or in a page with a result, to offer its readings.
  if (form.elements.pa.value.trim()) ask();

  function ask() {
    clearTimeout(timer);
    controller?.abort();
    const filled = [...new FormData(form)].filter(([, value]) => value.trim());
    if (!form.elements.pa.value.trim()) return show(null);
    timer = setTimeout(async () => {
      controller = new AbortController();
      try {
        const answer = await fetch(`/api/tlipi.php?${new URLSearchParams(filled)}`, { signal: controller.signal });
        const body = await answer.json();
        if (answer.ok) show(body);
        else readings.textContent = body.detail;
      } catch {
        // Aborted for a newer text, or offline.
      }
    }, PAUSE);
  }

  function show(answer) {
    readings.replaceChildren();
    copying.hidden = !answer;
    copying.querySelector("[data-copy-status]").textContent = "";
    output.textContent = answer?.output ?? "";
    if (!answer) return;
    output.lang = answer.direction === "roman-to-assamese" ? "as" : "as-Latn";
    const words = answer.alternatives.filter((each) => each.candidates.length);
    if (!words.length) return;
    const list = Object.assign(document.createElement("dl"), { className: "lines readings" });
    const title = Object.assign(document.createElement("h2"), { textContent: readings.dataset.title });
    words.forEach((each) => list.append(row(each, answer)));
    readings.append(title, list);
    write(answer);
  }

  function row({ word, candidates }, answer) {
    const pair = document.createElement("div");
    const name = Object.assign(document.createElement("dt"), { textContent: word });
    const choices = document.createElement("dd");
    name.lang = "as-Latn";
    for (const candidate of candidates) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: candidate });
      button.lang = "as";
      button.setAttribute("aria-pressed", String(chosen.get(word) === candidate));
      button.addEventListener("click", () => {
        if (chosen.get(word) === candidate) chosen.delete(word);
        else chosen.set(word, candidate);
        for (const other of choices.children) other.setAttribute("aria-pressed", String(chosen.get(word) === other.textContent));
        write(answer);
      });
      choices.append(button, " ");
    }
    pair.append(name, choices);
    return pair;
  }

  // Replaces the best readings of words by the chosen ones.
  function write(answer) {
    const typed = answer.input.split(/([\s,;:!?()"“”।]+)/);
    const best = answer.output.split(/([\s,;:!?()"“”।]+)/);
    if (typed.length === best.length) output.textContent = best.map((word, place) => chosen.get(typed[place]) ?? word).join("");
  }
}

// Transliterates text while it is typed, and lets the user choose among the readings of a word.
const DELAY = 150;

export function init(form) {
  const output = form.querySelector("[data-result]");
  const readings = form.querySelector("[data-readings]");
  const copyRow = form.querySelector("[data-copy-row]"); // the button of copy.js
  const chosen = new Map();
  let timer = 0;
  let controller = null;

  form.querySelector("[data-without-script]").hidden = true;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", requestReadings);
  form.addEventListener("change", requestReadings);
  // Text may be there already: typed before this script was loaded, or in a page with a result, to offer its readings.
  if (form.elements.pa.value.trim()) requestReadings();

  function requestReadings() {
    clearTimeout(timer);
    controller?.abort();
    const fields = [...new FormData(form)].filter(([, value]) => value.trim());
    if (!form.elements.pa.value.trim()) return show(null);
    timer = setTimeout(async () => {
      controller = new AbortController();
      try {
        const response = await fetch(`/api/tlipi.php?${new URLSearchParams(fields)}`, { signal: controller.signal });
        const body = await response.json();
        if (response.ok) show(body);
        else readings.textContent = body.detail;
      } catch {
        // Aborted for a newer text, or offline.
      }
    }, DELAY);
  }

  function show(response) {
    readings.replaceChildren();
    copyRow.hidden = !response;
    copyRow.querySelector("[data-copy-status]").textContent = "";
    output.textContent = response?.output ?? "";
    if (!response) return;
    output.lang = response.direction === "roman-to-assamese" ? "as" : "as-Latn";
    const words = response.alternatives.filter((word) => word.candidates.length);
    if (!words.length) return;
    const list = Object.assign(document.createElement("dl"), { className: "label-list readings" });
    const title = Object.assign(document.createElement("h2"), { textContent: readings.dataset.title });
    words.forEach((word) => list.append(createRow(word, response)));
    readings.append(title, list);
    writeOutput(response);
  }

  function createRow({ word, candidates }, response) {
    const pair = document.createElement("div");
    const name = Object.assign(document.createElement("dt"), { textContent: word });
    const choices = document.createElement("dd");
    name.lang = "as-Latn";
    for (const candidate of candidates) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "secondary", textContent: candidate });
      button.lang = "as";
      button.setAttribute("aria-pressed", String(chosen.get(word) === candidate));
      button.addEventListener("click", () => {
        if (chosen.get(word) === candidate) chosen.delete(word);
        else chosen.set(word, candidate);
        for (const button of choices.children) button.setAttribute("aria-pressed", String(chosen.get(word) === button.textContent));
        writeOutput(response);
      });
      choices.append(button, " ");
    }
    pair.append(name, choices);
    return pair;
  }

  // Replaces the best readings of words by the chosen ones.
  function writeOutput(response) {
    const typed = response.input.split(/([\s,;:!?()"“”।]+)/);
    const best = response.output.split(/([\s,;:!?()"“”।]+)/);
    if (typed.length === best.length) output.textContent = best.map((word, index) => chosen.get(typed[index]) ?? word).join("");
  }
}

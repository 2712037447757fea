// The words of a list on the page of saved lists: shows them in steps, moves and removes them, and exports them as CSV.
import { number } from "./formatting.js";
import { writeCSV } from "./list-csv.js";
import { knownWords } from "./word-details.js";
import { moveWord, takeOut } from "./saved-lists.js";

const STEP = 200;
const shownCounts = new Map(); // number of words shown of each list

export function fillWords(element, list, page) {
  const rows = element.querySelector("[data-words]");
  const most = shownCounts.get(list.id) ?? STEP;
  const words = list.words.slice(0, most);
  const draw = () => {
    const known = knownWords(words, page.texts.langs, () => (element.isConnected ? redraw() : page.draw()));
    rows.replaceChildren(...words.map((word) => row(word, known[word], list, page)));
  };
  const redraw = () => {
    const focused = page.focused();
    draw();
    focused();
  };
  draw();
  const rest = element.querySelector("[data-rest]");
  rest.hidden = list.words.length <= most;
  rest.textContent = document.querySelector("[data-lately]").dataset.more.replace("{}", number(list.words.length - most));
  rest.addEventListener("click", () => { shownCounts.set(list.id, most + STEP); page.draw(); });
}

function row(word, known, list, page) {
  const element = page.place.querySelector("template[data-word]").content.firstElementChild.cloneNode(true);
  const link = element.querySelector("a");
  const text = known?.word ?? page.texts.unknown.replace("{}", number(word));
  link.textContent = text;
  if (known?.word && !known.missing) Object.assign(link, { href: `/dic/${encodeURIComponent(text)}`, lang: known.code ?? "", dir: known.dir ?? "auto" });
  else link.removeAttribute("href");
  const gloss = element.querySelector(".gloss");
  gloss.textContent = known?.missing ? page.texts.gone : known?.meaning ?? "";
  if (known?.meaningCode && !known.missing) Object.assign(gloss, { lang: known.meaningCode, dir: known.meaningDir ?? "auto" });
  const at = list.words.indexOf(word);
  const steps = {
    up: [at === 0, () => page.change((now) => moveWord(now, list.id, word, -1))],
    down: [at === list.words.length - 1, () => page.change((now) => moveWord(now, list.id, word, 1))],
    out: [false, () => page.remove(list.id, text, (now) => takeOut(now, list.id, word))],
  };
  for (const [step, [isOff, job]] of Object.entries(steps)) {
    const button = element.querySelector(`[data-${step}]`);
    button.dataset.key = `word-${step}-${list.id}-${word}`;
    button.setAttribute("aria-label", button.getAttribute("aria-label").replace("{}", text));
    button.disabled = isOff;
    button.addEventListener("click", job);
  }
  return element;
}

// Offers a list as a file, generated in the browser so that it also works offline.
export function saveCSV(words, name, langs) {
  const known = knownWords(words, langs, () => {});
  const rows = words.map((id) => ({ id, word: known[id]?.word, language: known[id]?.code, roman: known[id]?.roman, meaning: known[id]?.meaning, meaning_language: known[id]?.meaningCode }));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([writeCSV(rows)], { type: "text/csv" }));
  link.download = `${name.replace(/[\\/:*?"<>|]/g, " ").trim() || "list"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

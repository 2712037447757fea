// The words of a list on the page of saved lists: shows them in steps, moves and removes them, and exports them as CSV.
import { formatNumber, localizeDigits } from "./formatting.js";
import { writeCSV } from "./list-csv.js";
import { moveWord, removeWord } from "./saved-lists.js";
import { readDetails } from "./word-details.js";

const PAGE_SIZE = 200;
const shownCounts = new Map(); // number of words shown of each list

export function renderWords(element, list, page) {
  const rows = element.querySelector("[data-words]");
  const limit = shownCounts.get(list.id) ?? PAGE_SIZE;
  const words = list.words.slice(0, limit);
  const render = () => {
    const details = readDetails(words, page.texts.langs, () => (element.isConnected ? renderKeepingFocus() : page.render()));
    rows.replaceChildren(...words.map((word) => createRow(word, details[word], list, page)));
  };
  const renderKeepingFocus = () => {
    const restoreFocus = page.saveFocus();
    render();
    restoreFocus();
  };
  render();
  const moreButton = element.querySelector("[data-show-more]");
  moreButton.hidden = list.words.length <= limit;
  moreButton.textContent = document.querySelector("[data-recent-words]").dataset.more.replace("{}", formatNumber(list.words.length - limit));
  moreButton.addEventListener("click", () => { shownCounts.set(list.id, limit + PAGE_SIZE); page.render(); });
}

function createRow(word, details, list, page) {
  const element = page.container.querySelector("template[data-word]").content.firstElementChild.cloneNode(true);
  const link = element.querySelector("a");
  const text = details?.word ?? page.texts.unknown.replace("{}", localizeDigits(String(word)));
  link.textContent = text;
  if (details?.word && !details.missing) Object.assign(link, { href: `/dic/${encodeURIComponent(text)}`, lang: details.code ?? "", dir: details.dir ?? "auto" });
  else link.removeAttribute("href");
  const gloss = element.querySelector(".gloss");
  gloss.textContent = details?.missing ? page.texts.deletedWord : details?.meaning ?? "";
  if (details?.meaningCode && !details.missing) Object.assign(gloss, { lang: details.meaningCode, dir: details.meaningDir ?? "auto" });
  const index = list.words.indexOf(word);
  const steps = {
    up: [index === 0, () => page.update((draft) => moveWord(draft, list.id, word, -1))],
    down: [index === list.words.length - 1, () => page.update((draft) => moveWord(draft, list.id, word, 1))],
    remove: [false, () => page.remove(list.id, text, (draft) => removeWord(draft, list.id, word))],
  };
  for (const [step, [isDisabled, action]] of Object.entries(steps)) {
    const button = element.querySelector(`[data-${step}]`);
    button.dataset.key = `word-${step}-${list.id}-${word}`;
    button.setAttribute("aria-label", button.getAttribute("aria-label").replace("{}", text));
    button.disabled = isDisabled;
    button.addEventListener("click", action);
  }
  return element;
}

// Offers a list as a file, generated in the browser so that it also works offline.
export function saveCSV(words, name, langs) {
  const details = readDetails(words, langs, () => {});
  const rows = words.map((id) => ({ id, word: details[id]?.word, language: details[id]?.code, roman: details[id]?.roman, meaning: details[id]?.meaning, meaning_language: details[id]?.meaningCode }));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([writeCSV(rows)], { type: "text/csv" }));
  link.download = `${name.replace(/[\\/:*?"<>|]/g, " ").trim() || "list"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

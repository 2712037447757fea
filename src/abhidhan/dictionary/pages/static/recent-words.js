// Recently viewed words on the page of saved lists: shows them, clears them, and turns the history on and off.
import { formatNumber } from "./formatting.js";
import { deleteFromHistory, onChange, readHistory, setHistoryEnabled } from "./history.js";

const INITIAL_COUNT = 20;

export function init(section) {
  const checkbox = section.querySelector("[data-save-history]");
  const list = section.querySelector("ul");
  let isExpanded = false;
  const render = () => {
    const history = readHistory();
    checkbox.checked = !history.off;
    checkbox.disabled = Boolean(history.refused || history.newer);
    section.querySelector("[data-none]").hidden = history.words.length > 0;
    section.querySelector("[data-clear]").hidden = !history.words.length;
    const moreButton = section.querySelector("[data-show-more]");
    moreButton.hidden = isExpanded || history.words.length <= INITIAL_COUNT;
    moreButton.textContent = section.dataset.more.replace("{}", formatNumber(history.words.length - INITIAL_COUNT));
    list.replaceChildren(...history.words.slice(0, isExpanded ? undefined : INITIAL_COUNT).map((entry) => createItem(entry, section.dataset, render)));
  };
  section.querySelector("[data-show-more]").addEventListener("click", () => { isExpanded = true; render(); list.querySelectorAll("a")[INITIAL_COUNT]?.focus(); });
  section.querySelector("[data-clear]").addEventListener("click", () => { deleteFromHistory(); render(); checkbox.focus(); });
  checkbox.addEventListener("change", () => { setHistoryEnabled(checkbox.checked); render(); });
  onChange(render);
  render();
  section.hidden = false;
}

function createItem(entry, texts, render) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { className: "headword", textContent: entry.word, lang: entry.code, dir: entry.dir });
  link.href = `/dic/${encodeURIComponent(entry.word)}`;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "icon", textContent: "✕" });
  button.setAttribute("aria-label", texts.removeLabel.replace("{}", entry.word));
  button.addEventListener("click", () => {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    const index = [...item.parentElement.children].indexOf(next) - (next === item.nextElementSibling ? 1 : 0);
    const list = item.parentElement;
    deleteFromHistory(entry.id);
    render();
    (list.children[index]?.querySelector("button") ?? document.querySelector("[data-save-history]")).focus();
  });
  const actions = Object.assign(document.createElement("span"), { className: "row-actions" });
  actions.append(button);
  item.append(link, actions);
  return item;
}

// Recently viewed words on the page of saved lists: shows them, clears them, and turns the history on and off.
import { number } from "./formatting.js";
import { forget, onChange, readHistory, remember } from "./history.js";

const SHOWN_FIRST = 20;

export function begin(place) {
  const box = place.querySelector("[data-remember]");
  const list = place.querySelector("ul");
  let all = false;
  const draw = () => {
    const history = readHistory();
    box.checked = !history.off;
    box.disabled = Boolean(history.refused || history.newer);
    place.querySelector("[data-none]").hidden = history.words.length > 0;
    place.querySelector("[data-forget]").hidden = !history.words.length;
    const more = place.querySelector("[data-rest]");
    more.hidden = all || history.words.length <= SHOWN_FIRST;
    more.textContent = place.dataset.more.replace("{}", number(history.words.length - SHOWN_FIRST));
    list.replaceChildren(...history.words.slice(0, all ? undefined : SHOWN_FIRST).map((word) => row(word, place.dataset, draw)));
  };
  place.querySelector("[data-rest]").addEventListener("click", () => { all = true; draw(); list.querySelectorAll("a")[SHOWN_FIRST]?.focus(); });
  place.querySelector("[data-forget]").addEventListener("click", () => { forget(); draw(); box.focus(); });
  box.addEventListener("change", () => { remember(box.checked); draw(); });
  onChange(draw);
  draw();
  place.hidden = false;
}

function row(word, texts, draw) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { className: "headword", textContent: word.word, lang: word.code, dir: word.dir });
  link.href = `/dic/${encodeURIComponent(word.word)}`;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "icon", textContent: "✕" });
  button.setAttribute("aria-label", texts.one.replace("{}", word.word));
  button.addEventListener("click", () => {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    const at = [...item.parentElement.children].indexOf(next) - (next === item.nextElementSibling ? 1 : 0);
    const list = item.parentElement;
    forget(word.id);
    draw();
    (list.children[at]?.querySelector("button") ?? document.querySelector("[data-remember]")).focus();
  });
  const last = Object.assign(document.createElement("span"), { className: "last" });
  last.append(button);
  item.append(link, last);
  return item;
}

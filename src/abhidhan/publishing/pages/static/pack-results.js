// Shows what the packs on this device say of the word in the field `w`, or in the address of the page.
import { lookUp, readyPacks } from "./pack-lookup.js";

const PAUSE = 150; // milliseconds without a key before it is looked up

export function begin(section) {
  const field = document.querySelector("input[name=w]");
  const show = () => answer(section, (field?.value || "").trim() || inAddress());
  let waiting = 0;
  field?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, PAUSE);
  });
  field?.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    show();
  });
  addEventListener("hashchange", show);
  document.addEventListener("abhidhan:packs", show);
  if (field && !field.value) field.value = inAddress();
  show();
}

// The word that the address asks for: /dic/পানী, /search?q=পানী, ?w=পানী or #পানী.
function inAddress() {
  const asked = new URLSearchParams(location.search);
  const [, inPath] = location.pathname.match(/^\/dic\/(.+)$/) ?? [];
  const text = asked.get("w") ?? asked.get("q") ?? inPath ?? location.hash.slice(1);
  try {
    return inPath === text || location.hash.slice(1) === text ? decodeURIComponent(text) : text;
  } catch {
    return "";
  }
}

let asked = 0;

async function answer(section, query) {
  const mine = ++asked;
  let shown;
  try {
    shown = await answered(section, query);
  } catch {
    shown = [paragraph(section.dataset.failed)];
  }
  // Somebody who types fast has asked for something else meanwhile.
  if (mine === asked) section.querySelector("[data-shown]").replaceChildren(...shown);
}

async function answered(section, query) {
  const texts = section.dataset;
  if (!(await readyPacks()).length) return [paragraph(texts.without)];
  if (!query) return [];
  const found = await lookUp(query);
  if (!found.length) return [paragraph(texts.none.replace("{}", query))];
  const list = made("ul", "pack-found");
  list.append(...found.map(({ entry, match }) => shownEntry(entry, texts[match])));
  return [list];
}

function shownEntry(entry, label) {
  const item = made("li");
  const head = made("p");
  head.append(headword(entry));
  if (entry.roman) head.append(" ", said("span", entry.roman, `${entry.source.code}-Latn`, "ltr", "roman"));
  if (label) head.append(" ", said("span", label, "", "", "quiet"));
  item.append(head, ...entry.senses.map((sense) => shownSense(sense, entry)));
  return item;
}

function headword({ kind, word, source }) {
  if (kind === "proverb") return said("span", word, source.code, source.direction, "headword");
  const link = said("a", word, source.code, source.direction, "headword");
  link.href = `/dic/${encodeURIComponent(word)}`;
  return link;
}

function shownSense({ part, glosses, definition, own, licence }, { source, target }) {
  const line = made("p");
  const name = part[document.documentElement.lang] ?? part.en;
  if (name) line.append(said("span", name, "", "", "quiet"), " ");
  glosses.forEach((gloss, place) => line.append(place ? ", " : "", said("span", gloss, target.code, target.direction)));
  const language = definition ? target : source;
  if (definition || own) {
    line.append(glosses.length ? " · " : "", said("span", definition || own, language.code, language.direction, "quiet"));
  }
  if (licence) line.append(" ", said("span", licence, "en", "ltr", "quiet"));
  return line;
}

function said(name, text, language, direction, style = "") {
  const element = made(name, style);
  element.textContent = text;
  if (language) element.lang = language;
  if (direction) element.dir = direction;
  return element;
}

function paragraph(text) {
  return said("p", text, "", "", "empty");
}

function made(name, style = "") {
  const element = document.createElement(name);
  if (style) element.className = style;
  return element;
}

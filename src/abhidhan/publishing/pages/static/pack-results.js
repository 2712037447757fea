// Shows the entries of the packs on this device for the word in the field `w`, or in the URL of the page.
import { localizeDigits } from "./formatting.js";
import { lookUp, readyPacks } from "./pack-lookup.js";

const DELAY = 150; // milliseconds after the last key before the look-up

export function init(section) {
  const field = document.querySelector("input[name=w]");
  const show = () => showResults(section, (field?.value || "").trim() || wordInURL());
  let timer = 0;
  field?.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, DELAY);
  });
  field?.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    show();
  });
  addEventListener("hashchange", show);
  document.addEventListener("abhidhan:packs", show);
  if (field && !field.value) field.value = wordInURL();
  show();
}

// The word in the URL: /dic/পানী, /search?q=পানী, ?w=পানী or #পানী.
function wordInURL() {
  const params = new URLSearchParams(location.search);
  const [, inPath] = location.pathname.match(/^\/dic\/(.+)$/) ?? [];
  const text = params.get("w") ?? params.get("q") ?? inPath ?? location.hash.slice(1);
  try {
    return inPath === text || location.hash.slice(1) === text ? decodeURIComponent(text) : text;
  } catch {
    return "";
  }
}

let latestNumber = 0;

async function showResults(section, query) {
  const number = ++latestNumber;
  let elements;
  try {
    elements = await renderQuery(section, query);
  } catch {
    elements = [paragraph(section.dataset.failed)];
  }
  // Drop the result if a newer query has started in the meantime.
  if (number === latestNumber) section.querySelector("[data-shown]").replaceChildren(...elements);
}

async function renderQuery(section, query) {
  const texts = section.dataset;
  if (!(await readyPacks()).length) return [paragraph(texts.without)];
  if (!query) return [];
  const hits = await lookUp(query);
  if (!hits.length) return [paragraph(texts.none.replace("{}", query))];
  // On the page that replaces the word page (/offline), the word is the heading, as it is online.
  const page = section.closest("[data-cached-pages]");
  page?.dispatchEvent(new CustomEvent("abhidhan:found-offline"));
  return renderResults(hits, query, texts, page ? "h1" : "h3");
}

// The best result as an entry, each other one as a line that unfolds, with the proverbs after the words.
function renderResults(hits, query, texts, level) {
  const [{ entry: best, match }, ...otherHits] = hits;
  const elements = createElement("div", "pack-found");
  if (["loose", "sound", "typo"].includes(match)) elements.append(otherSpelling(query, best, texts.other));
  elements.append(renderBest(best, level));
  const proverbs = otherHits.filter(({ entry }) => entry.kind === "proverb");
  const words = otherHits.filter(({ entry }) => entry.kind !== "proverb");
  if (words.length) elements.append(createLines(words, texts));
  if (proverbs.length) elements.append(textElement("h2", texts.proverbs, "", "", "name"), createLines(proverbs, texts));
  return [elements];
}

// "No entry for watter. Showing water."
function otherSpelling(query, { word, source }, text) {
  const line = createElement("p", "message quiet");
  for (const piece of text.split(/(\{word\}|\{found\})/)) {
    if (piece === "{word}") line.append(textElement("b", query, "", "auto"));
    else if (piece === "{found}") line.append(textElement("b", word, source.code, source.direction));
    else line.append(piece);
  }
  return line;
}

function renderBest(entry, level) {
  const article = createElement("article", "entry");
  const head = createElement("div", "entry-head");
  head.append(textElement(level, entry.word, entry.source.code, entry.source.direction, entry.kind === "proverb" ? "word long" : "word"));
  if (entry.roman) head.append(createRoman(entry));
  const facts = createElement("div", "facts");
  facts.append(textElement("p", partOfSpeech(entry.senses[0] ?? { part: {} })));
  head.append(facts);
  article.append(head, createSenses(entry));
  return article;
}

function createLines(hits, texts) {
  const list = createElement("ol", "senses");
  for (const { entry, match } of hits) {
    const item = createElement("li", "sense collapsed");
    const details = createElement("details", "sense-line");
    const summary = createElement("summary", "arrow");
    const gloss = createElement("span", "gloss");
    const [firstSense] = entry.senses;
    const { code, direction } = firstSense?.glosses.length || firstSense?.definition ? entry.target : entry.source;
    if (firstSense) gloss.append(textElement("span", firstSense.glosses.join(", ") || firstSense.definition || firstSense.sourceDefinition, code, direction));
    if (texts[match]) gloss.append(gloss.firstChild ? " · " : "", texts[match]);
    summary.append(textElement("span", entry.word, entry.source.code, entry.source.direction, "answer ink"), " ", gloss);
    details.append(summary);
    if (entry.roman) details.append(createElement("p", "", createRoman(entry)));
    details.append(createSenses(entry));
    item.append(details);
    list.append(item);
  }
  return list;
}

const createRoman = ({ roman: text, source }) => textElement("span", text, `${source.code}-Latn`, "ltr", "roman");
const partOfSpeech = ({ part }) => part[document.documentElement.lang] ?? part.en ?? "";

function createSenses(entry) {
  const list = createElement("ol", entry.senses.length > 1 ? "senses numbered" : "senses");
  list.append(...entry.senses.map((sense, index) => renderSense(sense, entry, entry.senses.length > 1 ? index + 1 : 0)));
  return list;
}

function renderSense({ glosses, definition, sourceDefinition, licence }, { source, target, kind }, index) {
  const item = createElement("li", "sense");
  const number = index && textElement("span", localizeDigits(String(index)), "", "", "num");
  if (number) item.append(number);
  if (glosses.length) {
    const line = createElement("p", "answer");
    glosses.forEach((gloss, glossIndex) => line.append(glossIndex ? textElement("span", ", ", "", "", "sep") : "", kind === "proverb" ? textElement("span", gloss, target.code, target.direction) : wordLink(gloss, target)));
    item.append(line);
  }
  const language = definition ? target : source;
  if (definition || sourceDefinition) item.append(textElement("p", definition || sourceDefinition, language.code, language.direction, "meaning"));
  if (licence) item.append(textElement("p", licence, "en", "ltr", "source"));
  return item;
}

function wordLink(word, { code, direction }) {
  return Object.assign(textElement("a", word, code, direction), { href: `/dic/${encodeURIComponent(word)}` });
}

function textElement(name, text, language, direction, style = "") {
  const element = createElement(name, style);
  element.textContent = text;
  if (language) element.lang = language;
  if (direction) element.dir = direction;
  return element;
}

function paragraph(text) {
  return textElement("p", text, "", "", "quiet");
}

function createElement(name, style = "", ...children) {
  const element = document.createElement(name);
  if (style) element.className = style;
  element.append(...children);
  return element;
}

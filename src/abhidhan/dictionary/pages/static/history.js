// Recently viewed words, stored only in this browser and never sent.
const STORAGE_KEY = "abhidhan.looked-up";
const FORM = 1;
const MAX_WORDS = 200;

// Called by the page of a word: adds it to the history.
export function init(element) {
  const { viewedWord, word, code, dir } = element.dataset;
  addWord({ id: Number(viewedWord), word, code, dir });
}

export function readHistory() {
  try {
    const history = JSON.parse(localStorage.getItem(STORAGE_KEY));
    if (history?.form === FORM) return { off: history.off === true, words: (Array.isArray(history.words) ? history.words : []).filter(isWord).slice(0, MAX_WORDS) };
    return { off: history !== null, words: [], newer: history !== null }; // the history of a newer version is not changed
  } catch {
    return { off: true, words: [], refused: true };
  }
}

const isWord = (entry) => entry && Number.isInteger(entry.id) && typeof entry.word === "string" && typeof entry.code === "string";

function writeHistory({ off, words }) {
  try {
    if (!off && !words.length) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify({ form: FORM, off, words }));
  } catch {
    // Storage is full or denied: there is no history.
  }
}

function addWord(word) {
  const history = readHistory();
  if (history.off) return;
  writeHistory({ off: false, words: [word, ...history.words.filter(({ id }) => id !== word.id)].slice(0, MAX_WORDS) });
}

export function deleteFromHistory(id) {
  const history = readHistory();
  writeHistory({ ...history, words: id === undefined ? [] : history.words.filter((entry) => entry.id !== id) });
}

// Turns the history on or off; either way, it is cleared.
export function setHistoryEnabled(isEnabled) {
  if (!readHistory().newer) writeHistory({ off: !isEnabled, words: [] });
}

export function onChange(callback) {
  addEventListener("storage", (event) => [STORAGE_KEY, null].includes(event.key) && callback());
}

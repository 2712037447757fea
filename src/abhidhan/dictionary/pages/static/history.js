// Recently viewed words, stored only in this browser and never sent.
const STORAGE_KEY = "abhidhan.looked-up";
const FORM = 1;
const MAX_WORDS = 200;

// Called by the page of a word: adds it to the history.
export function begin(place) {
  const { lookedUp, word, code, dir } = place.dataset;
  note({ id: Number(lookedUp), word, code, dir });
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

const isWord = (each) => each && Number.isInteger(each.id) && typeof each.word === "string" && typeof each.code === "string";

function write({ off, words }) {
  try {
    if (!off && !words.length) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify({ form: FORM, off, words }));
  } catch {
    // Storage is full or denied: there is no history.
  }
}

function note(word) {
  const history = readHistory();
  if (history.off) return;
  write({ off: false, words: [word, ...history.words.filter(({ id }) => id !== word.id)].slice(0, MAX_WORDS) });
}

export function forget(id) {
  const history = readHistory();
  write({ ...history, words: id === undefined ? [] : history.words.filter((each) => each.id !== id) });
}

// Turns the history on or off; either way, it is cleared.
export function remember(on) {
  if (!readHistory().newer) write({ off: !on, words: [] });
}

export function onChange(job) {
  addEventListener("storage", (event) => [STORAGE_KEY, null].includes(event.key) && job());
}

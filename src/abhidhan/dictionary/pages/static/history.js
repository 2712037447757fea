// Recently viewed words, stored only in this browser and never sent.
const PLACE = "abhidhan.looked-up";
const FORM = 1;
const MOST = 200;

// The page of a word notes it.
export function begin(place) {
  const { lookedUp, word, code, dir } = place.dataset;
  note({ id: Number(lookedUp), word, code, dir });
}

export function readHistory() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE));
    if (kept?.form === FORM) return { off: kept.off === true, words: (Array.isArray(kept.words) ? kept.words : []).filter(isWord).slice(0, MOST) };
    return { off: kept !== null, words: [], newer: kept !== null }; // a newer version's is left alone
  } catch {
    return { off: true, words: [], refused: true };
  }
}

const isWord = (each) => each && Number.isInteger(each.id) && typeof each.word === "string" && typeof each.code === "string";

function write({ off, words }) {
  try {
    if (!off && !words.length) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, JSON.stringify({ form: FORM, off, words }));
  } catch {
    // No room, or not allowed: nothing is remembered then.
  }
}

function note(word) {
  const kept = readHistory();
  if (kept.off) return;
  write({ off: false, words: [word, ...kept.words.filter(({ id }) => id !== word.id)].slice(0, MOST) });
}

export function forget(id) {
  const kept = readHistory();
  write({ ...kept, words: id === undefined ? [] : kept.words.filter((each) => each.id !== id) });
}

// What is no more to be remembered is forgotten too.
export function remember(on) {
  if (!readHistory().newer) write({ off: !on, words: [] });
}

export function onChange(job) {
  addEventListener("storage", (event) => [PLACE, null].includes(event.key) && job());
}

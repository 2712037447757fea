// Details of the words in saved lists: fetched from the server once, a hundred at a time, and stored for offline use.
import { readWords, writeWords } from "./saved-lists.js";

const BATCH_SIZE = 100;
const FIELDS = "id,word,language_id,roman,translations,definitions";
const MAX_AGE = 14 * 86_400_000; // ms after which a word is fetched again: two weeks

// Returns the stored details of words; fetches missing ones in the background, and then calls `more`.
export function knownWords(ids, langs, more) {
  const known = { ...readWords(), ...fetched };
  const outdated = ids.filter((id) => !requested.has(id) && !(known[id]?.langs === langs && known[id].at > Date.now() - MAX_AGE));
  outdated.forEach((id) => requested.add(id));
  if (outdated.length) ask(outdated, langs).then((changed) => changed && more()).catch(() => {}); // offline: stored details only
  return known;
}

const requested = new Set();
const fetched = {}; // details fetched since the page was opened, as the storage may be full
let queue = Promise.resolve();

// Sends the requests one after the other, even if several lists are opened.
function ask(ids, langs) {
  queue = queue.catch(() => {}).then(async () => {
    const languages = await languagesByID();
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const batch = ids.slice(start, start + BATCH_SIZE);
      const { data } = await json(`/api/words?ids=${batch.join(",")}&fields=${FIELDS}&langs=${encodeURIComponent(langs)}`);
      const found = Object.fromEntries(data.map((word) => [word.id, detailsOf(word, languages, langs)]));
      // Deleted words are marked, and keep the details stored before.
      for (const id of batch) fetched[id] = found[id] ?? { ...readWords()[id], langs, at: Date.now(), missing: true };
      writeWords(fetched);
    }
    return true;
  });
  return queue;
}

let languages = null;
async function languagesByID() {
  languages ??= Object.fromEntries((await json("/api/languages")).data.map((each) => [each.id, each]));
  return languages;
}

async function json(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

function detailsOf(word, languages, langs) {
  const own = languages[word.language_id];
  return { word: word.word, code: own.code, dir: own.direction, roman: word.roman ?? "", ...meaningOf(word, languages, langs.split(",")), langs, at: Date.now() };
}

// The best translation or definition, as in the server's lists: in the first of the reader's languages that has one.
function meaningOf(word, languages, order) {
  const place = (each) => {
    const at = order.indexOf(languages[each.language_id]?.code);
    return at < 0 ? order.length : at;
  };
  for (const meaning of word.meanings ?? []) {
    const others = meaning.translations.filter((each) => each.language_id !== word.language_id);
    const [best] = [...others].sort((a, b) => place(a) - place(b) || a.id - b.id);
    const [defined] = [...meaning.definitions].sort((a, b) => place(a) - place(b));
    if (best ?? defined) return meaningFields(best?.word ?? defined.text, languages[(best ?? defined).language_id]);
  }
  return { meaning: "" };
}

const meaningFields = (meaning, language) => ({ meaning, meaningCode: language.code, meaningDir: language.direction });

// Details of the words in saved lists: fetched from the server once, a hundred at a time, and stored for offline use.
import { readWords, writeWords } from "./saved-lists.js";

const BATCH_SIZE = 100;
const FIELDS = "id,word,language_id,roman,translations,definitions";
const MAX_AGE = 14 * 86_400_000; // ms after which a word is fetched again: two weeks

// Returns the stored details of words; fetches missing ones in the background, and then calls `onUpdate`.
export function readDetails(ids, langs, onUpdate) {
  const details = { ...readWords(), ...fetchedDetails };
  const outdated = ids.filter((id) => !requestedIDs.has(id) && !(details[id]?.langs === langs && details[id].at > Date.now() - MAX_AGE));
  outdated.forEach((id) => requestedIDs.add(id));
  if (outdated.length) fetchDetails(outdated, langs).then((changed) => changed && onUpdate()).catch(() => {}); // offline: stored details only
  return details;
}

const requestedIDs = new Set();
const fetchedDetails = {}; // details fetched since the page was opened, as the storage may be full
let queue = Promise.resolve();

// Sends the requests one after the other, even if several lists are opened.
function fetchDetails(ids, langs) {
  queue = queue.catch(() => {}).then(async () => {
    const languages = await languagesByID();
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const batch = ids.slice(start, start + BATCH_SIZE);
      const { data } = await fetchJSON(`/api/words?ids=${batch.join(",")}&fields=${FIELDS}&langs=${encodeURIComponent(langs)}`);
      const found = Object.fromEntries(data.map((word) => [word.id, detailsOf(word, languages, langs)]));
      // Deleted words are marked, and keep the details stored before.
      for (const id of batch) fetchedDetails[id] = found[id] ?? { ...readWords()[id], langs, at: Date.now(), missing: true };
      writeWords(fetchedDetails);
    }
    return true;
  });
  return queue;
}

let languages = null;
async function languagesByID() {
  languages ??= Object.fromEntries((await fetchJSON("/api/languages")).data.map((entry) => [entry.id, entry]));
  return languages;
}

async function fetchJSON(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.status);
  return response.json();
}

function detailsOf(word, languages, langs) {
  const language = languages[word.language_id];
  return { word: word.word, code: language.code, dir: language.direction, roman: word.roman ?? "", ...meaningOf(word, languages, langs.split(",")), langs, at: Date.now() };
}

// The best translation or definition, as in the server's lists: in the first of the reader's languages that has one.
function meaningOf(word, languages, order) {
  const rank = (entry) => {
    const at = order.indexOf(languages[entry.language_id]?.code);
    return at < 0 ? order.length : at;
  };
  for (const meaning of word.meanings ?? []) {
    const foreign = meaning.translations.filter((entry) => entry.language_id !== word.language_id);
    const [best] = [...foreign].sort((a, b) => rank(a) - rank(b) || a.id - b.id);
    const [definition] = [...meaning.definitions].sort((a, b) => rank(a) - rank(b));
    if (best ?? definition) return meaningFields(best?.word ?? definition.text, languages[(best ?? definition).language_id]);
  }
  return { meaning: "" };
}

const meaningFields = (meaning, language) => ({ meaning, meaningCode: language.code, meaningDir: language.direction });

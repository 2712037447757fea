// Saved word lists in the browser's storage. Every part has the time of its last change, so that the lists of several
// tabs or devices can be merged in any order without loss (people/model/saved_lists.py has the same rules).
//   {form, lists: {ID: {name: [time, text], place: [time, number], gone: [time, 0 or 1],
//                       words: {word ID: [time, place or null]}}}}; null: the word was removed
const FORM = 1;
const LISTS = "abhidhan.lists";
const KEPT = "abhidhan.lists.kept"; // state of the synchronisation with an account (list-sync.js)
const WORDS = "abhidhan.lists.words"; // details of the words, to show lists offline
export const MINE = "mine"; // the list of starred words, the same on every device
const MAX_LISTS = 100;
const MAX_WORDS_PER_LIST = 2000;
export const MAX_WORDS = 20_000;
const MAX_NAME_LENGTH = 80;
const TOMBSTONE_LIFETIME = 400 * 86_400_000; // lifetime of the tombstones of removed words in ms
const MAX_ID = 2 ** 31 - 1;
const MAX_TIME = 1e14;
const MAX_PLACE = 1e9;

// --- storage --------------------------------------------------------------------------------------------------------

// Returns whether lists can be stored: the browser allows it, and there are no lists of a newer version.
export function canKeep() {
  try {
    localStorage.setItem("abhidhan.probe", "1");
    localStorage.removeItem("abhidhan.probe");
    return (parseJSON(localStorage.getItem(LISTS))?.form ?? FORM) <= FORM;
  } catch {
    return false;
  }
}

let last = { text: undefined, lists: {} };

export function readLists() {
  const text = readItem(LISTS);
  if (text !== last.text) last = { text, lists: checked(parseJSON(text)) };
  return last.lists;
}

// Changes the stored lists, which another tab may have changed since they were shown; returns whether they were stored.
export function change(job) {
  const lists = deepCopy(readLists());
  job(lists);
  return writeLists(lists);
}

// `sent`: the lists come from the account and need not be sent to it.
export function writeLists(lists, { sent = false } = {}) {
  if (!writeItem(LISTS, JSON.stringify({ form: FORM, lists: dropOldTombstones(lists) }))) return false;
  if (!sent && readItem(KEPT)) import("./list-sync.js").then(({ later }) => later());
  document.dispatchEvent(new CustomEvent("abhidhan:lists"));
  return true;
}

// Calls `job` after changes in this or another tab.
export function onChange(job) {
  document.addEventListener("abhidhan:lists", job);
  addEventListener("storage", (event) => [LISTS, null].includes(event.key) && job());
}

function dropOldTombstones(lists) {
  const since = Date.now() - TOMBSTONE_LIFETIME;
  for (const list of Object.values(lists)) {
    list.words = Object.fromEntries(Object.entries(list.words).filter(([, [at, place]]) => place !== null || at > since));
  }
  return Object.fromEntries(Object.entries(lists).filter(([, { words, gone }]) => !gone[1] || gone[0] > since || Object.keys(words).length));
}

// Sends unsent changes to the account, if synchronisation is on.
export function beginSync() {
  if (readItem(KEPT)) import("./list-sync.js").then(({ begin }) => begin());
}

export function readWords() {
  const words = parseJSON(readItem(WORDS));
  return words && typeof words === "object" && !Array.isArray(words) ? words : {};
}

// Stores details of words, only of those in lists.
export function writeWords(known) {
  const used = new Set(shownLists(readLists()).flatMap(({ words }) => words));
  writeItem(WORDS, JSON.stringify(Object.fromEntries(Object.entries({ ...readWords(), ...known }).filter(([id]) => used.has(Number(id))))));
}

function readItem(place) {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

function writeItem(place, text) {
  try {
    localStorage.setItem(place, text);
    return true;
  } catch {
    return false;
  }
}

function parseJSON(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function deepCopy(value) {
  return JSON.parse(JSON.stringify(value));
}

// Drops invalid parts of stored lists, in case something else has written to the storage.
export function checked(kept) {
  const lists = {};
  for (const [id, list] of Object.entries(kept?.lists ?? {})) {
    if (!/^[a-z0-9]{1,32}$/.test(id) || !list || typeof list !== "object") continue;
    const words = Object.entries(list.words ?? {}).filter(([word, part]) => isID(word) && isPart(part, (place) => place === null || isPlace(place)));
    lists[id] = {
      name: isPart(list.name, (name) => typeof name === "string" && [...name].length <= MAX_NAME_LENGTH) ? list.name : [0, ""],
      place: isPart(list.place, isPlace) ? list.place : [0, 0],
      gone: isPart(list.gone, (gone) => gone === 0 || gone === 1) ? list.gone : [0, 0],
      words: Object.fromEntries(words),
    };
  }
  return lists;
}

const isID = (text) => /^[1-9][0-9]{0,9}$/.test(text) && Number(text) <= MAX_ID;
const isPlace = (place) => Number.isFinite(place) && Math.abs(place) <= MAX_PLACE;
const isPart = (part, isValue) => Array.isArray(part) && part.length === 2 && Number.isInteger(part[0]) && part[0] >= 0 && part[0] <= MAX_TIME && isValue(part[1]);

// --- merging --------------------------------------------------------------------------------------------------------

// Merges lists: of each part, the latest change wins; at equal times, adding wins over removing.
export function merged(one, other) {
  const lists = {};
  for (const id of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [a, b] = [one[id], other[id]];
    if (!a || !b) { lists[id] = a ?? b; continue; }
    const words = {};
    for (const word of new Set([...Object.keys(a.words), ...Object.keys(b.words)])) words[word] = later(a.words[word], b.words[word]);
    lists[id] = { name: later(a.name, b.name), place: later(a.place, b.place), gone: later(a.gone, b.gone), words };
  }
  return lists;
}

function later(a, b) {
  if (!a || !b) return a ?? b;
  if (a[0] !== b[0]) return a[0] > b[0] ? a : b;
  return isAfter(a[1], b[1]) ? a : b;
}

function isAfter(a, b) {
  if (a === null || b === null) return b === null;
  if (typeof a === "number") return a > b;
  const [one, other] = [[...a], [...b]].map((letters) => letters.map((letter) => letter.codePointAt(0)));
  const at = one.findIndex((letter, place) => letter !== other[place]);
  return at < 0 ? false : other[at] === undefined || one[at] > other[at];
}

// --- reading --------------------------------------------------------------------------------------------------------

// Returns the visible lists and their words, in order. A removed list is visible if another device has added a word.
export function shownLists(lists) {
  return Object.entries(lists)
    .map(([id, list]) => ({ id, name: list.name[1], place: list.place[1], words: wordsOf(list), gone: list.gone[1] }))
    .filter((list) => list.words.length || !list.gone)
    .sort((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1));
}

function wordsOf(list) {
  const present = Object.entries(list?.words ?? {}).filter(([, part]) => part[1] !== null);
  return present.sort(([a, [, one]], [b, [, other]]) => one - other || a - b).map(([id]) => Number(id));
}

export const holds = (lists, id, word) => (lists[id]?.words[word]?.[1] ?? null) !== null;

// --- changes --------------------------------------------------------------------------------------------------------

// Returns a part with a new value and a later time than before, even if the clock was set back.
const newPart = (part, value) => [Math.max(Date.now(), (part?.[0] ?? 0) + 1), value];

export function createList(lists, name, words = [], id = newID()) {
  ensureList(lists, id);
  lists[id].name = newPart(lists[id].name, normalizeName(name));
  for (const word of words) addWord(lists, id, word);
  return id;
}

// Creates a list if it does not exist, or restores it if it was removed in another tab.
function ensureList(lists, id) {
  const places = shownLists(lists).map(({ place }) => place);
  lists[id] ??= { name: [0, ""], place: newPart(null, id === MINE ? 0 : Math.max(0, ...places) + 1), gone: [0, 0], words: {} };
  if (lists[id].gone[1]) lists[id].gone = newPart(lists[id].gone, 0);
}

const normalizeName = (name) => [...name.trim().replace(/\s+/g, " ")].slice(0, MAX_NAME_LENGTH).join("");

function newID() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => (byte % 36).toString(36)).join("");
}

// Returns whether words can be added within the limits.
export function hasRoom(lists, id, count = 1) {
  const shown = shownLists(lists);
  const all = shown.reduce((sum, { words }) => sum + words.length, 0);
  const own = shown.find((list) => list.id === id);
  return (own?.words.length ?? 0) + count <= MAX_WORDS_PER_LIST && all + count <= MAX_WORDS && (Boolean(own) || shown.length < MAX_LISTS);
}

export function addWord(lists, id, word) {
  ensureList(lists, id);
  if (holds(lists, id, word)) return;
  const { words } = lists[id];
  const places = wordsOf(lists[id]).map((each) => words[each][1]);
  words[word] = newPart(words[word], Math.max(0, ...places.slice(-1)) + 1);
}

export function takeOut(lists, id, word) {
  if (holds(lists, id, word)) lists[id].words[word] = newPart(lists[id].words[word], null);
}

export function renameList(lists, id, name) {
  lists[id].name = newPart(lists[id].name, normalizeName(name));
}

// Removes a list and its current words; words that another device adds at the same time are not lost.
export function removeList(lists, id) {
  for (const word of wordsOf(lists[id])) takeOut(lists, id, word);
  lists[id].gone = newPart(lists[id].gone, 1);
}

// Restores a list to the state `before`.
export function restoreList(lists, id, before) {
  const { words } = lists[id];
  for (const word of wordsOf(before)) if (!holds(lists, id, word)) words[word] = newPart(words[word], before.words[word][1]);
  lists[id].gone = newPart(lists[id].gone, before.gone[1]);
}

export function moveWord(lists, id, word, by) {
  const { words } = lists[id];
  const order = wordsOf(lists[id]);
  moveItem(order, order.indexOf(word), by, (each) => words[each][1], (each, place) => { words[each] = newPart(words[each], place); });
}

export function moveList(lists, id, by) {
  const order = shownLists(lists).map((list) => list.id);
  moveItem(order, order.indexOf(id), by, (each) => lists[each].place[1], (each, place) => { lists[each].place = newPart(lists[each].place, place); });
}

// Moves an item to a position between its new neighbours; if there is no room, renumbers all.
function moveItem(order, at, by, placeOf, setPlace) {
  const to = at + by;
  if (at < 0 || to < 0 || to >= order.length) return;
  const [item] = order.splice(at, 1);
  order.splice(to, 0, item);
  const before = to ? placeOf(order[to - 1]) : placeOf(order[1]) - 2;
  const after = to < order.length - 1 ? placeOf(order[to + 1]) : before + 2;
  const place = (before + after) / 2;
  if (before < place && place < after && isPlace(place)) setPlace(item, place);
  else order.forEach((each, number) => setPlace(each, number + 1));
}

// Appends the words of a list to another, and removes the list.
export function joinLists(lists, id, into) {
  for (const word of wordsOf(lists[id])) addWord(lists, into, word);
  removeList(lists, id);
}

// Saved word lists in the browser's storage. Every part has the time of its last change, so that the lists of several
// tabs or devices can be merged in any order without loss (people/model/saved_lists.py has the same rules).
//   {form, lists: {ID: {name: [time, text], place: [time, number], gone: [time, 0 or 1],
//                       words: {word ID: [time, place or null]}}}}; null: the word was removed
const FORM = 1;
const LISTS = "abhidhan.lists";
const SYNC_STATE = "abhidhan.lists.kept"; // state of the synchronisation with an account (list-sync.js)
const WORDS = "abhidhan.lists.words"; // details of the words, to show lists offline
export const STARRED = "mine"; // the list of starred words, the same on every device
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
export function isStorageAvailable() {
  try {
    localStorage.setItem("abhidhan.probe", "1");
    localStorage.removeItem("abhidhan.probe");
    return (parseJSON(localStorage.getItem(LISTS))?.form ?? FORM) <= FORM;
  } catch {
    return false;
  }
}

let cache = { text: undefined, lists: {} };

export function readLists() {
  const text = readItem(LISTS);
  if (text !== cache.text) cache = { text, lists: sanitizeLists(parseJSON(text)) };
  return cache.lists;
}

// Changes the stored lists, which another tab may have changed since they were shown; returns whether they were stored.
export function updateLists(job) {
  const lists = deepCopy(readLists());
  job(lists);
  return writeLists(lists);
}

// `isFromAccount`: the lists come from the account and need not be sent to it.
export function writeLists(lists, { isFromAccount = false } = {}) {
  if (!writeItem(LISTS, JSON.stringify({ form: FORM, lists: dropOldTombstones(lists) }))) return false;
  if (!isFromAccount && readItem(SYNC_STATE)) import("./list-sync.js").then(({ scheduleSync }) => scheduleSync());
  document.dispatchEvent(new CustomEvent("abhidhan:lists"));
  return true;
}

// Calls `job` after changes in this or another tab.
export function onChange(job) {
  document.addEventListener("abhidhan:lists", job);
  addEventListener("storage", (event) => [LISTS, null].includes(event.key) && job());
}

function dropOldTombstones(lists) {
  const expiry = Date.now() - TOMBSTONE_LIFETIME;
  for (const list of Object.values(lists)) {
    list.words = Object.fromEntries(Object.entries(list.words).filter(([, [time, place]]) => place !== null || time > expiry));
  }
  return Object.fromEntries(Object.entries(lists).filter(([, { words, gone }]) => !gone[1] || gone[0] > expiry || Object.keys(words).length));
}

// Sends unsent changes to the account, if synchronisation is on.
export function startSync() {
  if (readItem(SYNC_STATE)) import("./list-sync.js").then(({ init }) => init());
}

export function readWords() {
  const words = parseJSON(readItem(WORDS));
  return words && typeof words === "object" && !Array.isArray(words) ? words : {};
}

// Stores details of words, only of those in lists.
export function writeWords(known) {
  const used = new Set(visibleLists(readLists()).flatMap(({ words }) => words));
  writeItem(WORDS, JSON.stringify(Object.fromEntries(Object.entries({ ...readWords(), ...known }).filter(([id]) => used.has(Number(id))))));
}

function readItem(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeItem(key, text) {
  try {
    localStorage.setItem(key, text);
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
export function sanitizeLists(stored) {
  const lists = {};
  for (const [id, list] of Object.entries(stored?.lists ?? {})) {
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
export function mergeLists(ours, theirs) {
  const lists = {};
  for (const id of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [a, b] = [ours[id], theirs[id]];
    if (!a || !b) { lists[id] = a ?? b; continue; }
    const words = {};
    for (const word of new Set([...Object.keys(a.words), ...Object.keys(b.words)])) words[word] = laterPart(a.words[word], b.words[word]);
    lists[id] = { name: laterPart(a.name, b.name), place: laterPart(a.place, b.place), gone: laterPart(a.gone, b.gone), words };
  }
  return lists;
}

function laterPart(a, b) {
  if (!a || !b) return a ?? b;
  if (a[0] !== b[0]) return a[0] > b[0] ? a : b;
  return isAfter(a[1], b[1]) ? a : b;
}

function isAfter(a, b) {
  if (a === null || b === null) return b === null;
  if (typeof a === "number") return a > b;
  const [left, right] = [[...a], [...b]].map((characters) => characters.map((letter) => letter.codePointAt(0)));
  const index = left.findIndex((letter, position) => letter !== right[position]);
  return index < 0 ? false : right[index] === undefined || left[index] > right[index];
}

// --- reading --------------------------------------------------------------------------------------------------------

// Returns the visible lists and their words, in order. A removed list is visible if another device has added a word.
export function visibleLists(lists) {
  return Object.entries(lists)
    .map(([id, list]) => ({ id, name: list.name[1], place: list.place[1], words: wordsOf(list), gone: list.gone[1] }))
    .filter((list) => list.words.length || !list.gone)
    .sort((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1));
}

function wordsOf(list) {
  const present = Object.entries(list?.words ?? {}).filter(([, part]) => part[1] !== null);
  return present.sort(([a, [, placeA]], [b, [, placeB]]) => placeA - placeB || a - b).map(([id]) => Number(id));
}

export const containsWord = (lists, id, word) => (lists[id]?.words[word]?.[1] ?? null) !== null;

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
  const places = visibleLists(lists).map(({ place }) => place);
  lists[id] ??= { name: [0, ""], place: newPart(null, id === STARRED ? 0 : Math.max(0, ...places) + 1), gone: [0, 0], words: {} };
  if (lists[id].gone[1]) lists[id].gone = newPart(lists[id].gone, 0);
}

const normalizeName = (name) => [...name.trim().replace(/\s+/g, " ")].slice(0, MAX_NAME_LENGTH).join("");

function newID() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => (byte % 36).toString(36)).join("");
}

// Returns whether words can be added within the limits.
export function hasRoom(lists, id, count = 1) {
  const visible = visibleLists(lists);
  const all = visible.reduce((sum, { words }) => sum + words.length, 0);
  const current = visible.find((list) => list.id === id);
  return (current?.words.length ?? 0) + count <= MAX_WORDS_PER_LIST && all + count <= MAX_WORDS && (Boolean(current) || visible.length < MAX_LISTS);
}

export function addWord(lists, id, word) {
  ensureList(lists, id);
  if (containsWord(lists, id, word)) return;
  const { words } = lists[id];
  const places = wordsOf(lists[id]).map((item) => words[item][1]);
  words[word] = newPart(words[word], Math.max(0, ...places.slice(-1)) + 1);
}

export function removeWord(lists, id, word) {
  if (containsWord(lists, id, word)) lists[id].words[word] = newPart(lists[id].words[word], null);
}

export function renameList(lists, id, name) {
  lists[id].name = newPart(lists[id].name, normalizeName(name));
}

// Removes a list and its current words; words that another device adds at the same time are not lost.
export function removeList(lists, id) {
  for (const word of wordsOf(lists[id])) removeWord(lists, id, word);
  lists[id].gone = newPart(lists[id].gone, 1);
}

// Restores a list to the state `before`.
export function restoreList(lists, id, before) {
  const { words } = lists[id];
  for (const word of wordsOf(before)) if (!containsWord(lists, id, word)) words[word] = newPart(words[word], before.words[word][1]);
  lists[id].gone = newPart(lists[id].gone, before.gone[1]);
}

export function moveWord(lists, id, word, step) {
  const { words } = lists[id];
  const order = wordsOf(lists[id]);
  moveItem(order, order.indexOf(word), step, (item) => words[item][1], (item, place) => { words[item] = newPart(words[item], place); });
}

export function moveList(lists, id, step) {
  const order = visibleLists(lists).map((list) => list.id);
  moveItem(order, order.indexOf(id), step, (item) => lists[item].place[1], (item, place) => { lists[item].place = newPart(lists[item].place, place); });
}

// Moves an item to a position between its new neighbours; if there is no room, renumbers all.
function moveItem(order, index, step, placeOf, setPlace) {
  const target = index + step;
  if (index < 0 || target < 0 || target >= order.length) return;
  const [item] = order.splice(index, 1);
  order.splice(target, 0, item);
  const before = target ? placeOf(order[target - 1]) : placeOf(order[1]) - 2;
  const after = target < order.length - 1 ? placeOf(order[target + 1]) : before + 2;
  const place = (before + after) / 2;
  if (before < place && place < after && isPlace(place)) setPlace(item, place);
  else order.forEach((item, number) => setPlace(item, number + 1));
}

// Appends the words of a list to another, and removes the list.
export function joinLists(lists, id, into) {
  for (const word of wordsOf(lists[id])) addWord(lists, into, word);
  removeList(lists, id);
}

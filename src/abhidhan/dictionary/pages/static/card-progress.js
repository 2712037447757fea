// Flashcard progress in the browser's storage, by set ID ("list" for words of lists): the Leitner box of each card, the
// day when it is due, and the time of the last answer. A reset card has due = 0.
const STORAGE_PREFIX = "abhidhan.cards.";
const DAYS = [0, 1, 3, 7, 16, 35]; // until a card of each box is due again
const LAST_DAY = 100_000;
const MAX_SENT = 10_000;

export const today = () => Math.floor((Date.now() - new Date().getTimezoneOffset() * 60_000) / 86_400_000);

export function readProgress(set) {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_PREFIX + set)) ?? {};
  } catch {
    return {};
  }
}

function writeProgress(set, progress) {
  try {
    localStorage.setItem(STORAGE_PREFIX + set, JSON.stringify(progress));
  } catch {
    // Storage is full or denied: the cards work without stored progress.
  }
}

export function readAll() {
  try {
    const sets = Object.keys(localStorage).filter((name) => name.startsWith(STORAGE_PREFIX)).map((name) => name.slice(STORAGE_PREFIX.length));
    return Object.fromEntries(sets.filter(isSet).map((set) => [set, readProgress(set)]));
  } catch {
    return {};
  }
}

// Moves a card to the next box, or back to the first one. Keeps what other tabs have stored in the meantime.
export function recordAnswer(set, card, known) {
  const progress = readProgress(set);
  const box = known ? Math.min((progress[card]?.box ?? 0) + 1, DAYS.length - 1) : 0;
  progress[card] = { box, due: today() + DAYS[box], at: Date.now() };
  writeProgress(set, progress);
  scheduleSync();
}

export function resetCards(set, cards) {
  const progress = readProgress(set);
  const stored = cards.filter((card) => card in progress);
  if (!stored.length) return;
  for (const card of stored) progress[card] = { box: 0, due: 0, at: Date.now() };
  writeProgress(set, progress);
  scheduleSync();
}

export const dueCards = (progress) => Object.keys(progress).filter((card) => progress[card].due > 0 && progress[card].due <= today());
export const startedCards = (progress) => Object.keys(progress).filter((card) => progress[card].due > 0);
export const knownCards = (progress) => Object.keys(progress).filter((card) => progress[card].box > 0);

// --- the account, if lists are synchronised (list-sync.js) ------------------------------------------------------

export function isSynchronized() {
  try {
    return localStorage.getItem("abhidhan.lists.kept") !== null;
  } catch {
    return false;
  }
}

function scheduleSync() {
  if (isSynchronized()) import("./list-sync.js").then(({ scheduleSync }) => scheduleSync());
}

// Returns the progress in the account's format (people/model/card_progress.py), latest answers first.
export function listProgress() {
  const cards = Object.entries(readAll()).flatMap(([set, progress]) => Object.entries(progress)
    .filter(([card, entry]) => isEntry(card, entry))
    .map(([card, { box, due, at = 0 }]) => ({ set, id: Number(card), box, due, at })));
  return cards.sort((a, b) => b.at - a.at).slice(0, MAX_SENT);
}

export function mergeProgress(cards) {
  const sets = {};
  for (const { set, id, ...entry } of cards) (sets[set] ??= {})[id] = entry;
  merge(sets);
}

// --- a file, or another device -------------------------------------------------------------------------------------

export const exportProgress = () => JSON.stringify({ abhidhan: "flashcards", sets: readAll() });

// Merges the progress from a file; returns the number of cards, or null if the file has none.
export function importProgress(text) {
  let sets;
  try {
    ({ sets } = JSON.parse(text));
  } catch {
    return null;
  }
  if (!sets || typeof sets !== "object") return null;
  const count = merge(sets);
  scheduleSync();
  return count;
}

// For each card, the later answer wins. Answers of earlier versions have no time; of those, the later due day wins.
function merge(sets) {
  let count = 0;
  for (const [set, cards] of Object.entries(sets)) {
    if (!isSet(set) || !cards || typeof cards !== "object") continue;
    const progress = readProgress(set);
    for (const [card, entry] of Object.entries(cards)) {
      if (!isEntry(card, entry)) continue;
      count += 1;
      const { box, due, at = 0 } = entry;
      if (isLater({ due, at }, progress[card])) progress[card] = { box, due, at };
    }
    writeProgress(set, progress);
  }
  return count;
}

function isLater(entry, stored) {
  if (!stored) return true;
  const storedAt = stored.at ?? 0;
  return entry.at > storedAt || (entry.at === storedAt && entry.due > stored.due);
}

const isSet = (set) => /^([1-9][0-9]{0,9}|list)$/.test(set);
const isWithin = (value, max) => Number.isSafeInteger(value) && value >= 0 && value <= max;
const isEntry = (card, entry) =>
  /^[1-9][0-9]{0,9}$/.test(card) && entry !== null && typeof entry === "object" &&
  isWithin(entry.box, DAYS.length - 1) && isWithin(entry.due, LAST_DAY) && isWithin(entry.at ?? 0, 1e14);

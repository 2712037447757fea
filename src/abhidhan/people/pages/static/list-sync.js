// Synchronises saved lists and flashcard progress with the account, if the user has chosen so: sends the browser's data
// and merges the response. Sending too much, too late or twice loses nothing (people/model/saved_lists.py).
import { listProgress, mergeProgress } from "./card-progress.js";
import { merged, readLists, writeLists } from "./saved-lists.js";

const STORAGE_KEY = "abhidhan.lists.kept"; // {owner, dirty, at}: the account, whether changes are unsent, the last request
const ADDRESS = "/api/account/lists";
const SYNC_DELAY = 1500; // ms from a change to its synchronisation
const SYNC_INTERVAL = 60_000; // ms between synchronisations on pages other than that of the lists
const MAX_LAST_REQUEST = 60_000; // bytes; browsers limit requests from a page that is being left

export function readKept() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY));
  } catch {
    return null;
  }
}

function writeKept(kept) {
  try {
    if (kept) localStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Not stored: the user can turn it on again.
  }
}

// Called by every page with stars: sends unsent changes, or fetches those of other devices.
export function begin() {
  const kept = readKept();
  if (kept && (kept.dirty || kept.at < Date.now() - SYNC_INTERVAL)) sync().catch(() => {});
}

let timer = null;

// Called after a change of a list or an answer to a card: sends it soon, or when the page is left.
export function later() {
  const kept = readKept();
  if (!kept) return;
  writeKept({ ...kept, dirty: true });
  clearTimeout(timer);
  timer = setTimeout(() => sync().catch(() => {}), SYNC_DELAY);
}

addEventListener("pagehide", () => {
  if (timer === null || !readKept()?.dirty) return;
  const body = bodyOf(readKept().owner);
  if (body.length < MAX_LAST_REQUEST) fetch(ADDRESS, { method: "PUT", body, headers: headersOf(true), keepalive: true }).catch(() => {});
});

const headersOf = (isFollowUp) => ({ "Content-Type": "application/json", ...(isFollowUp ? { "If-Match": "*" } : {}) });
const bodyOf = (owner) => JSON.stringify({ owner, lists: written(readLists()), cards: listProgress() });

let running = null;

// Synchronises, and resolves to a state: "kept", "off" (the account no longer stores lists), "other" (lists of another
// account), "out" (not signed in), "full" (with the server's message). Rejects without a network.
export function sync({ start = false } = {}) {
  running ??= send(start).finally(() => { running = null; });
  return running;
}

async function send(start) {
  timer = null;
  const kept = readKept();
  if (!kept && !start) return { state: "off" };
  writeKept(kept && { ...kept, dirty: false });
  let answer;
  try {
    answer = await fetch(ADDRESS, { method: "PUT", body: bodyOf(start ? "" : kept.owner), headers: headersOf(!start) });
    if (!answer.ok) return await handleRefusal(answer, kept);
  } catch (error) {
    writeKept(kept && { ...kept, dirty: true });
    throw error;
  }
  const { owner, lists, cards } = await answer.json();
  writeKept({ owner, dirty: Boolean(readKept()?.dirty), at: Date.now() });
  const before = JSON.stringify(readLists());
  const after = merged(readLists(), read(lists));
  if (JSON.stringify(after) !== before) writeLists(after, { sent: true });
  mergeProgress(cards);
  return { state: "kept", owner };
}

async function handleRefusal(answer, kept) {
  const state = { 401: "out", 409: "other", 412: "off" }[answer.status];
  if (state === "off") writeKept(null);
  else writeKept(kept && { ...kept, dirty: true, at: Date.now() });
  if (state) return { state, owner: kept?.owner };
  if (answer.status !== 400) throw new Error(answer.status);
  const problem = await answer.json();
  return { state: "full", detail: problem.detail };
}

// Stops the synchronisation on this device; with `everywhere`, also deletes the lists stored in the account.
export async function stop({ everywhere }) {
  if (everywhere) {
    const answer = await fetch(ADDRESS, { method: "DELETE" });
    if (!answer.ok) throw new Error(answer.status);
  }
  writeKept(null);
}

// --- the server's format ---------------------------------------------------------------------------------------------

export function written(lists) {
  return Object.entries(lists).map(([id, { name, place, gone, words }]) => ({
    id, name: name[1], named: name[0], place: place[1], placed: place[0], is_removed: gone[1] === 1, removed: gone[0],
    words: Object.entries(words).map(([word, [at, where]]) => ({ id: Number(word), at, place: where })),
  }));
}

export function read(lists) {
  return Object.fromEntries(lists.map((each) => [each.id, {
    name: [each.named, each.name],
    place: [each.placed, each.place],
    gone: [each.removed, each.is_removed ? 1 : 0],
    words: Object.fromEntries(each.words.map(({ id, at, place }) => [id, [at, place]])),
  }]));
}

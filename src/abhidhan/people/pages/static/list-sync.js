// Synchronises saved lists and flashcard progress with the account, if the user has chosen so: sends the browser's data
// and merges the response. Sending too much, too late or twice loses nothing (people/model/saved_lists.py).
import { listProgress, mergeProgress } from "./card-progress.js";
import { mergeLists, readLists, writeLists } from "./saved-lists.js";

const STORAGE_KEY = "abhidhan.lists.kept"; // {owner, dirty, at}: the account, whether changes are unsent, the last request
const API_PATH = "/api/account/lists";
const SYNC_DELAY = 1500; // ms from a change to its synchronisation
const SYNC_INTERVAL = 60_000; // ms between synchronisations on pages other than that of the lists
const MAX_LAST_REQUEST = 60_000; // bytes; browsers limit requests from a page that is being left

export function readSyncState() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY));
  } catch {
    return null;
  }
}

function writeSyncState(state) {
  try {
    if (state) localStorage.setItem(STORAGE_KEY, JSON.stringify(state));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Not stored: the user can turn it on again.
  }
}

// Called by every page with stars: sends unsent changes, or fetches those of other devices.
export function init() {
  const state = readSyncState();
  if (state && (state.dirty || state.at < Date.now() - SYNC_INTERVAL)) sync().catch(() => {});
}

let timer = null;

// Called after a change of a list or an answer to a card: sends it soon, or when the page is left.
export function scheduleSync() {
  const state = readSyncState();
  if (!state) return;
  writeSyncState({ ...state, dirty: true });
  clearTimeout(timer);
  timer = setTimeout(() => sync().catch(() => {}), SYNC_DELAY);
}

addEventListener("pagehide", () => {
  if (timer === null || !readSyncState()?.dirty) return;
  const body = bodyOf(readSyncState().owner);
  if (body.length < MAX_LAST_REQUEST) fetch(API_PATH, { method: "PUT", body, headers: headersOf(true), keepalive: true }).catch(() => {});
});

const headersOf = (isFollowUp) => ({ "Content-Type": "application/json", ...(isFollowUp ? { "If-Match": "*" } : {}) });
const bodyOf = (owner) => JSON.stringify({ owner, lists: toServerFormat(readLists()), cards: listProgress() });

let running = null;

// Synchronises, and resolves to a state: "synced", "off" (the account no longer stores lists), "otherAccount" (the lists
// belong to another account), "signedOut", or "full" (with the server's message). Rejects without a network.
export function sync({ start = false } = {}) {
  running ??= send(start).finally(() => { running = null; });
  return running;
}

async function send(start) {
  timer = null;
  const state = readSyncState();
  if (!state && !start) return { state: "off" };
  writeSyncState(state && { ...state, dirty: false });
  let response;
  try {
    response = await fetch(API_PATH, { method: "PUT", body: bodyOf(start ? "" : state.owner), headers: headersOf(!start) });
    if (!response.ok) return await handleRefusal(response, state);
  } catch (error) {
    writeSyncState(state && { ...state, dirty: true });
    throw error;
  }
  const { owner, lists, cards } = await response.json();
  writeSyncState({ owner, dirty: Boolean(readSyncState()?.dirty), at: Date.now() });
  const oldText = JSON.stringify(readLists());
  const newLists = mergeLists(readLists(), fromServerFormat(lists));
  if (JSON.stringify(newLists) !== oldText) writeLists(newLists, { isFromAccount: true });
  mergeProgress(cards);
  return { state: "synced", owner };
}

async function handleRefusal(response, syncState) {
  const state = { 401: "signedOut", 409: "otherAccount", 412: "off" }[response.status];
  if (state === "off") writeSyncState(null);
  else writeSyncState(syncState && { ...syncState, dirty: true, at: Date.now() });
  if (state) return { state, owner: syncState?.owner };
  if (response.status !== 400) throw new Error(response.status);
  const problem = await response.json();
  return { state: "full", detail: problem.detail };
}

// Stops the synchronisation on this device; with `everywhere`, also deletes the lists stored in the account.
export async function stop({ everywhere }) {
  if (everywhere) {
    const response = await fetch(API_PATH, { method: "DELETE" });
    if (!response.ok) throw new Error(response.status);
  }
  writeSyncState(null);
}

// --- the server's format ---------------------------------------------------------------------------------------------

export function toServerFormat(lists) {
  return Object.entries(lists).map(([id, { name, place, gone, words }]) => ({
    id, name: name[1], named: name[0], place: place[1], placed: place[0], is_removed: gone[1] === 1, removed: gone[0],
    words: Object.entries(words).map(([word, [at, place]]) => ({ id: Number(word), at, place })),
  }));
}

export function fromServerFormat(lists) {
  return Object.fromEntries(lists.map((list) => [list.id, {
    name: [list.named, list.name],
    place: [list.placed, list.place],
    gone: [list.removed, list.is_removed ? 1 : 0],
    words: Object.fromEntries(list.words.map(({ id, at, place }) => [id, [at, place]])),
  }]));
}

// Keeps one's own lists with one's account, once somebody has chosen that: what this browser holds is sent, and put
// together with what comes back. Sending too much, too late or twice loses nothing (people/model/saved_lists.py).
import { merged, readLists, writeLists } from "./own-lists.js";

const PLACE = "abhidhan.lists.kept"; // {owner, dirty, at}: with whose account, and what is still to be sent
const ADDRESS = "/api/account/lists";
const SOON = 1500;
const OFTEN = 60_000; // on other pages than that of the lists, what other devices did is asked for so often
const MOST_AT_THE_END = 60_000; // browsers send no more than that from a page that is being left

export function readKept() {
  try {
    return JSON.parse(localStorage.getItem(PLACE));
  } catch {
    return null;
  }
}

function writeKept(kept) {
  try {
    if (kept) localStorage.setItem(PLACE, JSON.stringify(kept));
    else localStorage.removeItem(PLACE);
  } catch {
    // Not kept: it is asked again.
  }
}

// Asked by every page that shows stars: sends what is left over, or asks for what other devices did.
export function begin() {
  const kept = readKept();
  if (kept && (kept.dirty || kept.at < Date.now() - OFTEN)) sync().catch(() => {});
}

let timer = null;

// Somebody has changed a list: it is sent soon, or when the page is left.
export function later() {
  const kept = readKept();
  if (!kept) return;
  writeKept({ ...kept, dirty: true });
  clearTimeout(timer);
  timer = setTimeout(() => sync().catch(() => {}), SOON);
}

addEventListener("pagehide", () => {
  if (timer === null || !readKept()?.dirty) return;
  const body = bodyOf(readKept().owner);
  if (body.length < MOST_AT_THE_END) fetch(ADDRESS, { method: "PUT", body, headers: headersOf(true), keepalive: true }).catch(() => {});
});

const headersOf = (begun) => ({ "Content-Type": "application/json", ...(begun ? { "If-Match": "*" } : {}) });
const bodyOf = (owner) => JSON.stringify({ owner, lists: written(readLists()) });

let running = null;

// Sends and fetches. Says how it went: "kept", "off" (the account keeps none any more), "other" (another account's), "out"
// (nobody is signed in), "full" (with the server's sentence). Without a network it fails.
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
    if (!answer.ok) return await refused(answer, kept);
  } catch (error) {
    writeKept(kept && { ...kept, dirty: true });
    throw error;
  }
  const { owner, lists } = await answer.json();
  writeKept({ owner, dirty: Boolean(readKept()?.dirty), at: Date.now() });
  const before = JSON.stringify(readLists());
  const after = merged(readLists(), read(lists));
  if (JSON.stringify(after) !== before) writeLists(after, { sent: true });
  return { state: "kept", owner };
}

async function refused(answer, kept) {
  const state = { 401: "out", 409: "other", 412: "off" }[answer.status];
  if (state === "off") writeKept(null);
  else writeKept(kept && { ...kept, dirty: true, at: Date.now() });
  if (state) return { state, owner: kept?.owner };
  if (answer.status !== 400) throw new Error(answer.status);
  const problem = await answer.json();
  return { state: "full", detail: problem.detail };
}

// Stops it here; with `everywhere` the account keeps nothing any more, either.
export async function stop({ everywhere }) {
  if (everywhere) {
    const answer = await fetch(ADDRESS, { method: "DELETE" });
    if (!answer.ok) throw new Error(answer.status);
  }
  writeKept(null);
}

// --- as the server writes them --------------------------------------------------------------------------------------

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

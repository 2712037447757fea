// Updates the packs of this browser when it is online: changed entries are downloaded, removed ones deleted.
import { changeChunks, toRows } from "./pack-chunks.js";
import { downloadWhileLocked } from "./pack-download.js";
import { commitPack, listPacks, readChunk, readPack, withLock, writePack } from "./pack-store.js";

const CHECK_INTERVAL = 5 * 60_000; // milliseconds between two checks
const BATCH_SIZE = 500;
const MAX_REQUESTS = 10; // after this many responses, downloading the changed chunks is cheaper
const HTTP_GONE = 410;

// Updates in the background; failures are ignored until the next page.
export async function updateInBackground() {
  try {
    if (await updateAll()) document.dispatchEvent(new CustomEvent("abhidhan:packs"));
  } catch {
    // Retried on the next page.
  }
}

// Updates each pack that was not checked for some minutes. Returns whether any has changed.
async function updateAll() {
  if (!navigator.onLine || navigator.connection?.saveData) return false;
  let changed = false;
  for (const { pair, chunks, renewed } of await listPacks()) {
    const isDue = chunks.length && Date.now() - renewed > CHECK_INTERVAL;
    if (isDue && (await withLock(() => updateWhileLocked(pair), { ifAvailable: true }))) changed = true;
  }
  return changed;
}

export const update = (pair) => withLock(() => updateWhileLocked(pair));

async function updateWhileLocked(pair) {
  const stored = await readPack(pair);
  let pack = stored;
  for (let count = 0; count < MAX_REQUESTS; count += 1) {
    const response = await fetch(`/api/packs/${pair}/changes?since=${pack.token}&limit=${BATCH_SIZE}`, { cache: "no-store" });
    if (response.status === HTTP_GONE) return downloadAgain(pair);
    if (!response.ok) return false;
    const changes = await response.json();
    if (changes.rules !== pack.rulesName) return downloadAgain(pair);
    pack = await applyChanges(pack, changes);
    if (!changes.more) return pack.changed !== stored.changed;
  }
  return downloadAgain(pair);
}

// Downloads the pack again, reusing the chunks that have not changed.
async function downloadAgain(pair) {
  await downloadWhileLocked(pair);
  return true;
}

async function applyChanges(pack, { words, proverbs, gone, next }) {
  const renewed = { ...pack, token: next, renewed: Date.now() };
  const readRows = (name) => readChunk(pack.pair, name);
  const chunks = {
    ...(await changeChunks(renewed, toRows(proverbs), gone.proverbs, readRows)),
    ...(await changeChunks(renewed, toRows(words), gone.words, readRows)),
  };
  if (!Object.keys(chunks).length) {
    await writePack(renewed);
    return renewed;
  }
  renewed.changed = `${renewed.renewed}-${Math.random()}`;
  await commitPack(renewed, chunks);
  return renewed;
}

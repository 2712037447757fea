// Updates the packs of this browser when it is online: changed entries are downloaded, removed ones deleted.
import { changeChunks, unpacked } from "./pack-chunks.js";
import { loadAlone } from "./pack-download.js";
import { alone, listPacks, readChunk, readPack, settle, writePack } from "./pack-store.js";

const PAUSE = 5 * 60_000; // milliseconds between two checks
const BATCH_SIZE = 500;
const MAX_REQUESTS = 10; // after this many responses, downloading the changed chunks is cheaper
const GONE = 410;

// Updates in the background; failures are ignored until the next page.
export async function renewQuietly() {
  try {
    if (await renewAll()) document.dispatchEvent(new CustomEvent("abhidhan:packs"));
  } catch {
    // Retried on the next page.
  }
}

// Updates each pack that was not checked for some minutes. Returns whether any has changed.
async function renewAll() {
  if (!navigator.onLine || navigator.connection?.saveData) return false;
  let changed = false;
  for (const { pair, chunks, renewed } of await listPacks()) {
    const isDue = chunks.length && Date.now() - renewed > PAUSE;
    if (isDue && (await alone(() => renewAlone(pair), { ifAvailable: true }))) changed = true;
  }
  return changed;
}

export const renew = (pair) => alone(() => renewAlone(pair));

async function renewAlone(pair) {
  const before = await readPack(pair);
  let pack = before;
  for (let count = 0; count < MAX_REQUESTS; count += 1) {
    const answer = await fetch(`/api/packs/${pair}/changes?since=${pack.token}&limit=${BATCH_SIZE}`, { cache: "no-store" });
    if (answer.status === GONE) return reload(pair);
    if (!answer.ok) return false;
    const changes = await answer.json();
    if (changes.rules !== pack.rulesName) return reload(pair);
    pack = await applyChanges(pack, changes);
    if (!changes.more) return pack.changed !== before.changed;
  }
  return reload(pair);
}

// Downloads the pack again, reusing the chunks that have not changed.
async function reload(pair) {
  await loadAlone(pair);
  return true;
}

async function applyChanges(pack, { words, proverbs, gone, next }) {
  const renewed = { ...pack, token: next, renewed: Date.now() };
  const read = (name) => readChunk(pack.pair, name);
  const chunks = {
    ...(await changeChunks(renewed, unpacked(proverbs), gone.proverbs, read)),
    ...(await changeChunks(renewed, unpacked(words), gone.words, read)),
  };
  if (!Object.keys(chunks).length) {
    await writePack(renewed);
    return renewed;
  }
  renewed.changed = `${renewed.renewed}-${Math.random()}`;
  await settle(renewed, chunks);
  return renewed;
}

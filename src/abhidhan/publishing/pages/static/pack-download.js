// Downloads a pack, chunk by chunk. Stored chunks remain, so that an interrupted download can resume; the pack becomes
// visible when it is complete.
import { toRows } from "./pack-chunks.js";
import { commitPack, readPack, storedChunkNames, withLock, writeChunk, writePack } from "./pack-store.js";

const FORMAT = 2;

export class WrongPack extends Error {}

// `onProgress` is called with the number of bytes downloaded and the total.
export const download = (pair, options) => withLock(() => downloadWhileLocked(pair, options));

// Downloads without taking the lock, for callers that hold it.
export async function downloadWhileLocked(pair, { signal, onProgress = () => {} } = {}) {
  const manifest = await readManifest(pair, signal);
  if (manifest.form !== FORMAT) throw new WrongPack("form");
  await markStarted(pair, manifest);
  const storedNames = await storedChunkNames(pair);
  let bytes = manifest.rules.bytes;
  for (const chunk of manifest.chunks) {
    onProgress(bytes, manifest.bytes);
    if (!storedNames.has(chunk.sha256)) await writeChunk(pair, chunk.sha256, toRows(await readFile(pair, chunk.sha256, signal)));
    bytes += chunk.bytes;
  }
  onProgress(bytes, manifest.bytes);
  const rules = await readFile(pair, manifest.rules.sha256, signal);
  const finalNames = await storedChunkNames(pair);
  if (!manifest.chunks.every(({ sha256 }) => finalNames.has(sha256))) throw new WrongPack("chunks");
  await commitPack(packOf(manifest, rules));
}

async function readManifest(pair, signal) {
  const response = await fetch(`/packs/${pair}/manifest.json`, { signal, cache: "no-cache" });
  if (!response.ok) throw new WrongPack(response.status);
  return response.json();
}

// Marks a pack as being downloaded, so that the page offers to continue later.
async function markStarted(pair, manifest) {
  const stored = (await readPack(pair)) ?? { pair, chunks: [] };
  await writePack({ ...stored, loading: { words: manifest.words, bytes: manifest.bytes } });
}

function packOf(manifest, rules) {
  const { pair, source, target, words, proverbs, bytes, parts_of_speech, sources, changes } = manifest;
  const now = Date.now();
  return {
    pair, source, target, words, proverbs, bytes, parts_of_speech, sources, rules,
    rulesName: manifest.rules.sha256,
    token: changes,
    renewed: now,
    changed: `${now}-${Math.random()}`,
    loading: null,
    chunks: manifest.chunks.map(({ sha256, kind, first }) => ({ name: sha256, kind, first })),
  };
}

// Reads a file of a pack; throws if its content does not match the hash in its name.
async function readFile(pair, sha256, signal) {
  const response = await fetch(`/packs/${pair}/${sha256}.json`, { signal });
  if (!response.ok) throw new WrongPack(response.status);
  const bytes = await response.arrayBuffer();
  if (globalThis.crypto?.subtle && (await digest(bytes)) !== sha256) throw new WrongPack("digest");
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Downloads a pack, chunk by chunk. Stored chunks remain, so that an interrupted download can resume; the pack becomes
// visible when it is complete.
import { unpacked } from "./pack-chunks.js";
import { alone, keepChunk, namesHere, readPack, settle, writePack } from "./pack-store.js";

const FORM = 2;

export class WrongPack extends Error {}

// `told` is called with the number of bytes downloaded and the total.
export const load = (pair, options) => alone(() => loadAlone(pair, options));

// Downloads without taking the lock, for callers that hold it.
export async function loadAlone(pair, { signal, told = () => {} } = {}) {
  const manifest = await readManifest(pair, signal);
  if (manifest.form !== FORM) throw new WrongPack("form");
  await begin(pair, manifest);
  const here = await namesHere(pair);
  let bytes = manifest.rules.bytes;
  for (const chunk of manifest.chunks) {
    told(bytes, manifest.bytes);
    if (!here.has(chunk.sha256)) await keepChunk(pair, chunk.sha256, unpacked(await read(pair, chunk.sha256, signal)));
    bytes += chunk.bytes;
  }
  told(bytes, manifest.bytes);
  const rules = await read(pair, manifest.rules.sha256, signal);
  const all = await namesHere(pair);
  if (!manifest.chunks.every(({ sha256 }) => all.has(sha256))) throw new WrongPack("chunks");
  await settle(packOf(manifest, rules));
}

async function readManifest(pair, signal) {
  const answer = await fetch(`/packs/${pair}/manifest.json`, { signal, cache: "no-cache" });
  if (!answer.ok) throw new WrongPack(answer.status);
  return answer.json();
}

// Marks a pack as being downloaded, so that the page offers to continue later.
async function begin(pair, manifest) {
  const before = (await readPack(pair)) ?? { pair, chunks: [] };
  await writePack({ ...before, loading: { words: manifest.words, bytes: manifest.bytes } });
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
async function read(pair, sha256, signal) {
  const answer = await fetch(`/packs/${pair}/${sha256}.json`, { signal });
  if (!answer.ok) throw new WrongPack(answer.status);
  const bytes = await answer.arrayBuffer();
  if (globalThis.crypto?.subtle && (await digest(bytes)) !== sha256) throw new WrongPack("digest");
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

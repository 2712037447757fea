// Loads a pack, chunk by chunk. What has come stays, so that a load that was cut off goes on where it ended; nobody sees
// the pack before all of it is here.
import { unpacked } from "./pack-chunks.js";
import { alone, keepChunk, namesHere, readPack, settle, writePack } from "./pack-store.js";

const FORM = 2;

export class WrongPack extends Error {}

// `told` hears how many bytes there are, and how many of them are here.
export const load = (pair, options) => alone(() => loadAlone(pair, options));

// Does so for a window that no other one disturbs.
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

// Notes that a pack is being loaded, so that whoever comes back is offered to go on.
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

// Reads a file of a pack; what is not what its name says is as if it had not come.
async function read(pair, sha256, signal) {
  const answer = await fetch(`/packs/${pair}/${sha256}.json`, { signal });
  if (!answer.ok) throw new WrongPack(answer.status);
  const bytes = await answer.arrayBuffer();
  if (globalThis.crypto?.subtle && (await digest(bytes)) !== sha256) throw new WrongPack("digest");
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function digest(bytes) {
  const made = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...made].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

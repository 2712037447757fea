// The packs of this browser, in IndexedDB. Look-ups read only the chunks that a pack names, not those of a newer
// version that is still being downloaded.
import { COMMON, EXACT, LOOSE, SOUND, WORD } from "./pack-chunks.js";

const NAME = "abhidhan-packs";
const VERSION = 1;
const [PACKS, KEYS, CHUNKS] = ["packs", "keys", "chunks"];

let connection;

export const isStorageAvailable = () => "indexedDB" in globalThis;

function open() {
  connection ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(PACKS, { keyPath: "pair" });
      request.result.createObjectStore(KEYS);
      request.result.createObjectStore(CHUNKS);
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return connection;
}

// Runs a job in one transaction.
async function transact(mode, names, job) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(names, mode);
    const stores = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
    let request;
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
    try {
      request = job(stores);
    } catch (error) {
      reject(error);
      transaction.abort();
    }
  });
}

// Runs a job under a lock that all windows share; with `ifAvailable`, skips it while the lock is held.
export function withLock(job, options = {}) {
  if (!navigator.locks) return job();
  return navigator.locks.request(NAME, options, (lock) => (lock ? job() : false));
}

const keyRangeOf = (pair) => IDBKeyRange.bound(`${pair}/`, `${pair}/\uffff`);

export const listPacks = () => transact("readonly", [PACKS], (stores) => stores[PACKS].getAll());

export const readPack = (pair) => transact("readonly", [PACKS], (stores) => stores[PACKS].get(pair));

export const writePack = (pack) => transact("readwrite", [PACKS], (stores) => stores[PACKS].put(pack));

// The names of the stored chunks of a pack, whether it names them or not.
export async function storedChunkNames(pair) {
  const keys = await transact("readonly", [KEYS], (stores) => stores[KEYS].getAllKeys(keyRangeOf(pair)));
  return new Set(keys.map((key) => key.slice(pair.length + 1)));
}

// The entries of a chunk as text, one line per entry.
export const readEntries = (pair, name) => transact("readonly", [CHUNKS], (stores) => stores[CHUNKS].get(`${pair}/${name}`));

export async function readChunk(pair, name) {
  const text = await readEntries(pair, name);
  return text ? text.split("\n").map((line) => JSON.parse(line)) : [];
}

// The keys of each chunk that a pack names, in its order.
export async function readKeys(pack) {
  const keys = [];
  await transact("readonly", [KEYS], (stores) => {
    pack.chunks.forEach(({ name }, index) => {
      stores[KEYS].get(`${pack.pair}/${name}`).onsuccess = ({ target }) => { keys[index] = target.result; };
    });
  });
  return keys;
}

export const writeChunk = (pair, name, chunk) =>
  transact("readwrite", [KEYS, CHUNKS], (stores) => putChunk(stores, pair, name, chunk));

// Stores a pack with its new chunks, and deletes the chunks that it no longer names.
export async function commitPack(pack, chunks = {}) {
  const used = new Set(pack.chunks.map(({ name }) => name));
  const obsolete = [...(await storedChunkNames(pack.pair))].filter((name) => !used.has(name));
  await transact("readwrite", [PACKS, KEYS, CHUNKS], (stores) => {
    for (const [name, chunk] of Object.entries(chunks)) putChunk(stores, pack.pair, name, chunk);
    for (const name of obsolete) [KEYS, CHUNKS].forEach((store) => stores[store].delete(`${pack.pair}/${name}`));
    stores[PACKS].put(pack);
  });
}

export const removePack = (pair) =>
  transact("readwrite", [PACKS, KEYS, CHUNKS], (stores) => {
    stores[PACKS].delete(pair);
    [KEYS, CHUNKS].forEach((store) => stores[store].delete(keyRangeOf(pair)));
  });

// Stores entries as one text, one line per entry: browsers read it ten times as fast as nested arrays.
function putChunk(stores, pair, name, { kind, rows }) {
  stores[CHUNKS].put(rows.map((row) => JSON.stringify(row)).join("\n"), `${pair}/${name}`);
  stores[KEYS].put(joinKeys(kind, rows), `${pair}/${name}`);
}

// Joins the keys of all entries into one text for each kind of key, in which a browser finds a line faster than in any
// index. In rows, a key that equals the one before it (the headword, its exact key) is empty.
function joinKeys(kind, rows) {
  const exact = rows.map((row) => row[EXACT] || row[WORD]);
  const loose = rows.map((row, index) => row[LOOSE] || exact[index]);
  const sound = rows.map((row, index) => row[SOUND] || loose[index]);
  const lines = (keys) => `\n${keys.join("\n")}\n`;
  const common = Uint8Array.from(rows.map((row) => row[COMMON]));
  return { kind, exact: lines(exact), loose: lines(loose), sound: lines(sound), common };
}

// Looks words up in the packs of this browser, in the order of the site: exact spelling, other spelling, same sound,
// one typing mistake; then proverbs that contain the word.
import { Keys } from "./pack-keys.js";
import { ID, ROMAN, SENSES, WORD } from "./pack-chunks.js";
import { isStorageAvailable, listPacks, readEntries, readKeys } from "./pack-store.js";
import { isOneTypo } from "./pack-typos.js";

const MAX_HITS = 30;
const TYPO_SEARCH_THRESHOLD = 10; // with this many hits, typing mistakes are not tried
const MAX_READINGS = 32; // readings of Roman letters for whole words
const MAX_PREFIX_READINGS = 8;
const MAX_TYPO_READINGS = 4;
const MIN_TYPO_LETTERS = 3; // one mistake turns a shorter word into any other
const MIN_TYPO_SOUND_LETTERS = 5;
const MAX_PROVERBS = 5;
const MAX_PROVERB_WORDS = 2;
const MATCHES = ["exact", "loose", "sound", "prefix", "typo", "proverb"];
const [EXACT_MATCH, LOOSE_MATCH, SOUND_MATCH, PREFIX_MATCH, TYPO_MATCH, PROVERB_MATCH] = MATCHES.keys();
const LATIN = /[A-Za-z\u00c0-\u024f\u1e00-\u1eff]/;
const OUTER_PUNCTUATION = /^[\s"'“”‘’(\[{,;:!?।|.]+|[\s"“”’)\]},;:!?।|.]+$/g;

const packCache = new Map();

// Returns [{ entry, match }], best first.
export async function lookUp(query) {
  return readHits(await searchPacks(await readyPacks(), query, { limit: MAX_HITS }));
}

// Returns the same, and words that start with the query, for completion.
export async function complete(query, limit) {
  return readHits(await searchPacks(await readyPacks(), query, { limit, withPrefixes: true }));
}

export async function readyPacks() {
  if (!isStorageAvailable()) return [];
  return (await listPacks()).filter((pack) => pack.chunks.length);
}

async function searchPacks(packs, query, { limit, withPrefixes = false }) {
  const term = query.slice(0, 200).replace(OUTER_PUNCTUATION, "");
  if (!term) return [];
  const hits = [];
  for (const pack of packs) hits.push(...searchPack(await openPack(pack), term, withPrefixes));
  return sortHits(hits).slice(0, limit);
}

// Caches the keys of a pack in memory until the pack changes.
async function openPack(pack) {
  const cached = packCache.get(pack.pair);
  if (cached?.pack.changed === pack.changed) return cached;
  const opened = { pack, keys: new Keys(pack.rules), chunks: await readKeys(pack) };
  packCache.set(pack.pair, opened);
  return opened;
}

function searchPack(openedPack, term, withPrefixes) {
  const { pack, keys, chunks } = openedPack;
  const roman = pack.source.indic && LATIN.test(term) ? keys.romanSounds(term, MAX_READINGS) : [];
  const [exact, loose] = [keys.exact(term), keys.loose(term)];
  const sounds = roman.length ? roman : [keys.sound(term)];
  const hits = new Hits(pack);
  chunks.forEach((chunk, chunkIndex) => {
    hits.add(EXACT_MATCH, chunkIndex, chunk, linesOf(chunk.exact, exact));
    hits.add(LOOSE_MATCH, chunkIndex, chunk, linesOf(chunk.loose, loose));
    sounds.forEach((sound, order) => hits.add(SOUND_MATCH, chunkIndex, chunk, linesOf(chunk.sound, sound), order));
    if (withPrefixes && chunk.kind === "word") {
      hits.add(PREFIX_MATCH, chunkIndex, chunk, linesWithPrefix(chunk.exact, exact));
      sounds.slice(0, MAX_PREFIX_READINGS).forEach((sound, order) => hits.add(PREFIX_MATCH, chunkIndex, chunk, linesWithPrefix(chunk.sound, sound), order + 1));
    }
    if (chunk.kind === "proverb") hits.add(PROVERB_MATCH, chunkIndex, chunk, linesWithWord(chunk.exact, exact).slice(0, MAX_PROVERBS));
  });
  if (roman.length) addProverbsWithWords(hits, chunks);
  // Sound keys have few distinct letters: one mistake away are many words, so this is the last resort.
  const fallbackSounds = hits.byLine.size ? [] : sounds.slice(0, MAX_TYPO_READINGS);
  if (hits.byLine.size < TYPO_SEARCH_THRESHOLD) addTypos(hits, openedPack, loose, fallbackSounds);
  return [...hits.byLine.values()];
}

// Finds proverbs that contain the words for which the Roman query stands.
function addProverbsWithWords(hits, chunks) {
  const words = sortHits([...hits.byLine.values()].filter(({ rank }) => rank <= SOUND_MATCH)).slice(0, MAX_PROVERB_WORDS);
  const keys = words.map(({ chunkIndex, line }) => lineOf(chunks[chunkIndex].exact, line + 1));
  chunks.forEach((chunk, chunkIndex) => {
    if (chunk.kind !== "proverb") return;
    for (const key of keys) hits.add(PROVERB_MATCH, chunkIndex, chunk, linesWithWord(chunk.exact, key).slice(0, MAX_PROVERBS));
  });
}

function addTypos(hits, { chunks }, loose, sounds) {
  const longSounds = sounds.filter((sound) => sound.length >= MIN_TYPO_SOUND_LETTERS);
  chunks.forEach((chunk, chunkIndex) => {
    if (chunk.kind !== "word") return;
    chunk.looseLines ??= chunk.loose.slice(1, -1).split("\n");
    chunk.soundLines ??= chunk.sound.slice(1, -1).split("\n");
    if (loose.length >= MIN_TYPO_LETTERS) {
      chunk.looseLines.forEach((key, line) => isOneTypo(loose, key) && hits.add(TYPO_MATCH, chunkIndex, chunk, [line], key[0] === loose[0] ? 0 : 1));
    }
    longSounds.forEach((sound) =>
      chunk.soundLines.forEach((key, line) => isOneTypo(sound, key) && hits.add(TYPO_MATCH, chunkIndex, chunk, [line], 2)));
  });
}

// The hits of a query, each entry once, with the best match that found it.
class Hits {
  constructor(pack) {
    Object.assign(this, { pack, byLine: new Map() });
  }

  add(rank, chunkIndex, chunk, lines, order = 0) {
    for (const line of lines) {
      const name = `${chunkIndex}/${line}`;
      if (!this.byLine.has(name)) {
        this.byLine.set(name, { pack: this.pack, chunkIndex, line, rank, order, common: chunk.common[line] });
      }
    }
  }
}

const sortHits = (hits) =>
  hits.sort((a, b) => a.rank - b.rank || a.order - b.order || b.common - a.common);

function linesOf(text, key) {
  const matches = [];
  if (!key) return matches;
  for (let at = text.indexOf(`\n${key}\n`); at >= 0; at = text.indexOf(`\n${key}\n`, at + 1)) matches.push(lineAt(text, at));
  return matches;
}

function linesWithPrefix(text, key) {
  const matches = [];
  if (!key) return matches;
  let [line, position] = [0, 0];
  for (let at = text.indexOf(`\n${key}`); at >= 0; at = text.indexOf(`\n${key}`, at + 1)) {
    for (; position < at; line += 1) position = text.indexOf("\n", position + 1);
    matches.push(line);
  }
  return matches;
}

// The lines that contain a word, possibly with an ending.
function linesWithWord(text, key) {
  const matches = [];
  if (key.length < MIN_TYPO_LETTERS) return matches;
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    if ("\n ".includes(text[at - 1])) matches.push(lineAt(text, at) - 1);
  }
  return matches;
}

// The number of lines that start before a position.
function lineAt(text, offset) {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

// Loads the entries of the hits, reading each chunk once.
async function readHits(hits) {
  const texts = new Map();
  const read = ({ pack, chunkIndex }) => {
    const { name } = pack.chunks[chunkIndex];
    if (!texts.has(name)) texts.set(name, readEntries(pack.pair, name));
    return texts.get(name);
  };
  return Promise.all(hits.map(async (hit) => ({ entry: parseEntry(hit, lineOf(await read(hit), hit.line)), match: MATCHES[hit.rank] })));
}

function lineOf(text, line) {
  let start = 0;
  for (let count = 0; count < line; count += 1) start = text.indexOf("\n", start) + 1;
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? text.length : end);
}

function parseEntry({ pack, chunkIndex }, line) {
  const row = JSON.parse(line);
  return {
    kind: pack.chunks[chunkIndex].kind,
    id: row[ID],
    word: row[WORD],
    roman: row[ROMAN],
    source: pack.source,
    target: pack.target,
    senses: row[SENSES].map(([part, glosses = [], definition = "", sourceDefinition = "", licence = ""]) => ({
      part: pack.parts_of_speech[part] ?? {}, glosses, definition, sourceDefinition, licence,
    })),
  };
}

// Looks words up in the packs of this browser, in the order of the site: exact spelling, other spelling, same sound,
// one typing mistake; then proverbs that contain the word.
import { Keys } from "./pack-keys.js";
import { ID, ROMAN, SENSES, WORD } from "./pack-chunks.js";
import { canKeep, listPacks, readEntries, readKeys } from "./pack-store.js";
import { isOneSlip } from "./pack-typos.js";

const MAX_HITS = 30;
const ENOUGH = 10; // with this many hits, typing mistakes are not tried
const WAYS_TO_READ = 32; // readings of Roman letters for whole words
const WAYS_TO_BEGIN = 8;
const WAYS_TO_SLIP = 4;
const MIN_LETTERS = 3; // one mistake turns a shorter word into any other
const MIN_SOUND_LETTERS = 5;
const MAX_PROVERBS = 5;
const MAX_PROVERB_WORDS = 2;
const CLASSES = ["exact", "loose", "sound", "beginning", "slip", "proverb"];
const [BY_SPELLING, LOOSELY, BY_SOUND, BY_BEGINNING, BY_SLIP, IN_PROVERB] = CLASSES.keys();
const LATIN = /[A-Za-z\u00c0-\u024f\u1e00-\u1eff]/;
const SURROUNDING = /^[\s"'“”‘’(\[{,;:!?।|.]+|[\s"“”’)\]},;:!?।|.]+$/g;

const openPacks = new Map();

// Returns [{ entry, match }], best first.
export async function lookUp(query) {
  return entriesOf(await lookUpIn(await readyPacks(), query, { most: MAX_HITS }));
}

// Returns the same, and words that start with the query, for completion.
export async function complete(query, most) {
  return entriesOf(await lookUpIn(await readyPacks(), query, { most, begins: true }));
}

export async function readyPacks() {
  if (!canKeep()) return [];
  return (await listPacks()).filter((pack) => pack.chunks.length);
}

async function lookUpIn(packs, query, { most, begins = false }) {
  const term = query.slice(0, 200).replace(SURROUNDING, "");
  if (!term) return [];
  const hits = [];
  for (const pack of packs) hits.push(...find(await openPack(pack), term, begins));
  return sortHits(hits).slice(0, most);
}

// Caches the keys of a pack in memory until the pack changes.
async function openPack(pack) {
  const before = openPacks.get(pack.pair);
  if (before?.pack.changed === pack.changed) return before;
  const now = { pack, keys: new Keys(pack.rules), chunks: await readKeys(pack) };
  openPacks.set(pack.pair, now);
  return now;
}

function find(openedPack, term, begins) {
  const { pack, keys, chunks } = openedPack;
  const roman = pack.source.indic && LATIN.test(term) ? keys.romanSounds(term, WAYS_TO_READ) : [];
  const [exact, loose] = [keys.exact(term), keys.loose(term)];
  const sounds = roman.length ? roman : [keys.sound(term)];
  const hits = new Hits(pack);
  chunks.forEach((chunk, place) => {
    hits.add(BY_SPELLING, place, chunk, linesOf(chunk.exact, exact));
    hits.add(LOOSELY, place, chunk, linesOf(chunk.loose, loose));
    sounds.forEach((sound, order) => hits.add(BY_SOUND, place, chunk, linesOf(chunk.sound, sound), order));
    if (begins && chunk.kind === "word") {
      hits.add(BY_BEGINNING, place, chunk, linesBeginning(chunk.exact, exact));
      sounds.slice(0, WAYS_TO_BEGIN).forEach((sound, order) => hits.add(BY_BEGINNING, place, chunk, linesBeginning(chunk.sound, sound), order + 1));
    }
    if (chunk.kind === "proverb") hits.add(IN_PROVERB, place, chunk, linesWithWord(chunk.exact, exact).slice(0, MAX_PROVERBS));
  });
  if (roman.length) addProverbsWithWords(hits, chunks);
  // Sound keys have few distinct letters: one mistake away are many words, so this is the last resort.
  const lastSounds = hits.found.size ? [] : sounds.slice(0, WAYS_TO_SLIP);
  if (hits.found.size < ENOUGH) addSlips(hits, openedPack, loose, lastSounds);
  return [...hits.found.values()];
}

// Finds proverbs that contain the words for which the Roman query stands.
function addProverbsWithWords(hits, chunks) {
  const words = sortHits([...hits.found.values()].filter(({ rank }) => rank <= BY_SOUND)).slice(0, MAX_PROVERB_WORDS);
  const keys = words.map(({ place, line }) => lineOf(chunks[place].exact, line + 1));
  chunks.forEach((chunk, place) => {
    if (chunk.kind !== "proverb") return;
    for (const key of keys) hits.add(IN_PROVERB, place, chunk, linesWithWord(chunk.exact, key).slice(0, MAX_PROVERBS));
  });
}

function addSlips(hits, { chunks }, loose, sounds) {
  const longSounds = sounds.filter((sound) => sound.length >= MIN_SOUND_LETTERS);
  chunks.forEach((chunk, place) => {
    if (chunk.kind !== "word") return;
    chunk.looseLines ??= chunk.loose.slice(1, -1).split("\n");
    chunk.soundLines ??= chunk.sound.slice(1, -1).split("\n");
    if (loose.length >= MIN_LETTERS) {
      chunk.looseLines.forEach((key, line) => isOneSlip(loose, key) && hits.add(BY_SLIP, place, chunk, [line], key[0] === loose[0] ? 0 : 1));
    }
    longSounds.forEach((sound) =>
      chunk.soundLines.forEach((key, line) => isOneSlip(sound, key) && hits.add(BY_SLIP, place, chunk, [line], 2)));
  });
}

// The hits of a query, each entry once, with the best match that found it.
class Hits {
  constructor(pack) {
    Object.assign(this, { pack, found: new Map() });
  }

  add(rank, place, chunk, lines, order = 0) {
    for (const line of lines) {
      const name = `${place}/${line}`;
      if (!this.found.has(name)) {
        this.found.set(name, { pack: this.pack, place, line, rank, order, common: chunk.common[line] });
      }
    }
  }
}

const sortHits = (hits) =>
  hits.sort((one, other) => one.rank - other.rank || one.order - other.order || other.common - one.common);

function linesOf(text, key) {
  const found = [];
  if (!key) return found;
  for (let at = text.indexOf(`\n${key}\n`); at >= 0; at = text.indexOf(`\n${key}\n`, at + 1)) found.push(lineAt(text, at));
  return found;
}

function linesBeginning(text, key) {
  const found = [];
  if (!key) return found;
  let [line, counted] = [0, 0];
  for (let at = text.indexOf(`\n${key}`); at >= 0; at = text.indexOf(`\n${key}`, at + 1)) {
    for (; counted < at; line += 1) counted = text.indexOf("\n", counted + 1);
    found.push(line);
  }
  return found;
}

// The lines that contain a word, possibly with an ending.
function linesWithWord(text, key) {
  const found = [];
  if (key.length < MIN_LETTERS) return found;
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    if ("\n ".includes(text[at - 1])) found.push(lineAt(text, at) - 1);
  }
  return found;
}

// The number of lines that start before a position.
function lineAt(text, place) {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

// Loads the entries of the hits, reading each chunk once.
async function entriesOf(hits) {
  const texts = new Map();
  const read = ({ pack, place }) => {
    const { name } = pack.chunks[place];
    if (!texts.has(name)) texts.set(name, readEntries(pack.pair, name));
    return texts.get(name);
  };
  return Promise.all(hits.map(async (hit) => ({ entry: entryOf(hit, lineOf(await read(hit), hit.line)), match: CLASSES[hit.rank] })));
}

function lineOf(text, line) {
  let begin = 0;
  for (let passed = 0; passed < line; passed += 1) begin = text.indexOf("\n", begin) + 1;
  const end = text.indexOf("\n", begin);
  return text.slice(begin, end < 0 ? text.length : end);
}

function entryOf({ pack, place }, line) {
  const row = JSON.parse(line);
  return {
    kind: pack.chunks[place].kind,
    id: row[ID],
    word: row[WORD],
    roman: row[ROMAN],
    source: pack.source,
    target: pack.target,
    senses: row[SENSES].map(([part, glosses = [], definition = "", own = "", licence = ""]) => ({
      part: pack.parts_of_speech[part] ?? {}, glosses, definition, own, licence,
    })),
  };
}

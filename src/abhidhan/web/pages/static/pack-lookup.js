// Looks words up in the packs that this browser holds, as the site does: the same spelling, another spelling, the same
// sound, one slip; and the proverbs that have the word.
import { Keys } from "./pack-keys.js";
import { canKeep, listPacks, readChunk, readKeys } from "./pack-store.js";
import { isOneSlip } from "./pack-slips.js";

const MOST = 30;
const ENOUGH = 10; // with so many found, nobody made a slip
const WAYS_TO_READ = 32; // of Roman letters, for whole words
const WAYS_TO_SLIP = 8;
const LEAST_LETTERS = 3; // of a shorter word, one slip makes any other
const LEAST_SOUNDS = 5;
const MOST_PROVERBS = 5;
const CLASSES = ["exact", "loose", "sound", "slip", "proverb"];
const LATIN = /[A-Za-z\u00c0-\u024f\u1e00-\u1eff]/;
const AROUND = /^[\s"'“”‘’(\[{,;:!?।|.]+|[\s"“”’)\]},;:!?।|.]+$/g;

const held = new Map();

// Returns [{ entry, match }], best first; `packs` is how many there are to look in.
export async function lookUp(query) {
  const found = await lookUpIn(await readyPacks(), query);
  return Promise.all(found.map(async (hit) => ({ entry: await entryOf(hit), match: CLASSES[hit.rank] })));
}

export async function readyPacks() {
  if (!canKeep()) return [];
  return (await listPacks()).filter((pack) => pack.chunks.length);
}

async function lookUpIn(packs, query) {
  const asked = query.slice(0, 200).replace(AROUND, "");
  if (!asked) return [];
  const hits = [];
  for (const pack of packs) hits.push(...find(await opened(pack), asked));
  return inOrder(hits).slice(0, MOST);
}

// The keys of a pack stay in memory from the first look-up on, until the pack is another.
async function opened(pack) {
  const before = held.get(pack.pair);
  if (before?.pack.changed === pack.changed) return before;
  const now = { pack, keys: new Keys(pack.rules), chunks: await readKeys(pack) };
  held.set(pack.pair, now);
  return now;
}

function find(held, asked) {
  const { pack, keys, chunks } = held;
  const roman = pack.from.indic && LATIN.test(asked) ? keys.romanSounds(asked, WAYS_TO_READ) : [];
  const [exact, loose] = [keys.exact(asked), keys.loose(asked)];
  const sounds = roman.length ? roman : [keys.sound(asked)];
  const hits = new Hits(pack);
  chunks.forEach((chunk, place) => {
    hits.add(0, place, chunk, linesOf(chunk.exact, exact));
    hits.add(1, place, chunk, linesOf(chunk.loose, loose));
    sounds.forEach((sound, order) => hits.add(2, place, chunk, linesOf(chunk.sound, sound), order));
    if (chunk.kind === "proverb") hits.add(4, place, chunk, linesWithWord(chunk.exact, exact).slice(0, MOST_PROVERBS));
  });
  if (hits.found.size < ENOUGH) addSlips(hits, held, loose, sounds.slice(0, WAYS_TO_SLIP));
  return [...hits.found.values()];
}

function addSlips(hits, { chunks }, loose, sounds) {
  const heard = sounds.filter((sound) => sound.length >= LEAST_SOUNDS);
  chunks.forEach((chunk, place) => {
    if (chunk.kind !== "word") return;
    chunk.looseLines ??= chunk.loose.slice(1, -1).split("\n");
    chunk.soundLines ??= chunk.sound.slice(1, -1).split("\n");
    if (loose.length >= LEAST_LETTERS) {
      chunk.looseLines.forEach((key, line) => isOneSlip(loose, key) && hits.add(3, place, chunk, [line], key[0] === loose[0] ? 0 : 1));
    }
    heard.forEach((sound) =>
      chunk.soundLines.forEach((key, line) => isOneSlip(sound, key) && hits.add(3, place, chunk, [line], 2)));
  });
}

// What was found, each entry once, in the best way that found it.
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

const inOrder = (hits) =>
  hits.sort((one, other) => one.rank - other.rank || one.order - other.order || other.common - one.common);

function linesOf(text, key) {
  const found = [];
  if (!key) return found;
  for (let at = text.indexOf(`\n${key}\n`); at >= 0; at = text.indexOf(`\n${key}\n`, at + 1)) found.push(lineAt(text, at));
  return found;
}

// The lines that have a word, with a short ending or none.
function linesWithWord(text, key) {
  const found = [];
  if (key.length < LEAST_LETTERS) return found;
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    if ("\n ".includes(text[at - 1])) found.push(lineAt(text, at) - 1);
  }
  return found;
}

// How many lines have begun before a place.
function lineAt(text, place) {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

async function entryOf({ pack, place, line }) {
  const chunk = await readChunk(pack.pair, pack.chunks[place].name);
  return {
    kind: chunk.kind,
    id: chunk.id[line],
    word: chunk.word[line],
    roman: chunk.roman[line],
    from: pack.from,
    to: pack.to,
    senses: chunk.senses[line].map(([part, glosses, definition]) => ({
      part: pack.parts_of_speech[part] ?? {}, glosses, definition,
    })),
  };
}

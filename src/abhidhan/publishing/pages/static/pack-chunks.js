// Chunks of entries as stored here: one row per entry, with the values of the columns at these positions.
const COLUMNS = ["id", "word", "roman", "exact", "loose", "sound", "common", "senses"];
export const [ID, WORD, ROMAN, EXACT, LOOSE, SOUND, COMMON, SENSES] = COLUMNS.keys();

// Converts the columns of a downloaded chunk, with differences between IDs, to rows.
export function unpacked(chunk) {
  let at = 0;
  const rows = chunk.id.map((step, place) => [(at += step), ...COLUMNS.slice(1).map((name) => chunk[name][place])]);
  return { kind: chunk.kind, rows };
}

// Merges new entries into the chunks whose ID ranges contain them, and drops removed ones. Returns the changed chunks
// by their new names, and updates the pack's list of chunks and its entry counts.
export async function changeChunks(pack, { kind, rows }, gone, read) {
  const changedIDs = new Set([...gone, ...rows.map((row) => row[ID])]);
  const list = pack.chunks.filter((each) => each.kind === kind);
  if (!list.length && rows.length) list.push({ name: "", kind, first: 0 });
  const changed = {};
  for (const [place, each] of list.entries()) {
    const within = (id) => (!place || id >= each.first) && (place === list.length - 1 || id < list[place + 1].first);
    if (![...changedIDs].some(within)) continue;
    const before = each.name ? await read(each.name) : [];
    const fresh = rows.filter((row) => within(row[ID]));
    const unchanged = before.filter((row) => !changedIDs.has(row[ID]));
    if (unchanged.length === before.length && !fresh.length) continue;
    const name = `edited-${each.first}-${Math.random()}`;
    changed[name] = { kind, rows: [...unchanged, ...fresh].sort((one, other) => one[ID] - other[ID]) };
    list[place] = { ...each, name };
    pack[`${kind}s`] += changed[name].rows.length - before.length;
  }
  pack.chunks = [...list, ...pack.chunks.filter((each) => each.kind !== kind)];
  return changed;
}

// Chunks of entries as stored here: one row per entry, with the values of the columns at these positions.
const COLUMNS = ["id", "word", "roman", "exact", "loose", "sound", "common", "senses"];
export const [ID, WORD, ROMAN, EXACT, LOOSE, SOUND, COMMON, SENSES] = COLUMNS.keys();

// Converts the columns of a downloaded chunk, with differences between IDs, to rows.
export function toRows(chunk) {
  let id = 0;
  const rows = chunk.id.map((step, index) => [(id += step), ...COLUMNS.slice(1).map((name) => chunk[name][index])]);
  return { kind: chunk.kind, rows };
}

// Merges new entries into the chunks whose ID ranges contain them, and drops removed ones. Returns the changed chunks
// by their new names, and updates the pack's list of chunks and its entry counts.
export async function changeChunks(pack, { kind, rows }, removedIDs, readRows) {
  const changedIDs = new Set([...removedIDs, ...rows.map((row) => row[ID])]);
  const list = pack.chunks.filter((chunk) => chunk.kind === kind);
  if (!list.length && rows.length) list.push({ name: "", kind, first: 0 });
  const changed = {};
  for (const [index, chunk] of list.entries()) {
    const isInRange = (id) => (!index || id >= chunk.first) && (index === list.length - 1 || id < list[index + 1].first);
    if (![...changedIDs].some(isInRange)) continue;
    const oldRows = chunk.name ? await readRows(chunk.name) : [];
    const newRows = rows.filter((row) => isInRange(row[ID]));
    const unchangedRows = oldRows.filter((row) => !changedIDs.has(row[ID]));
    if (unchangedRows.length === oldRows.length && !newRows.length) continue;
    const name = `edited-${chunk.first}-${Math.random()}`;
    changed[name] = { kind, rows: [...unchangedRows, ...newRows].sort((a, b) => a[ID] - b[ID]) };
    list[index] = { ...chunk, name };
    pack[`${kind}s`] += changed[name].rows.length - oldRows.length;
  }
  pack.chunks = [...list, ...pack.chunks.filter((chunk) => chunk.kind !== kind)];
  return changed;
}

// Chunks of entries as they are kept here: in columns, as they come, but with the IDs themselves.
const COLUMNS = ["id", "word", "roman", "exact", "loose", "sound", "common", "senses"];

// A chunk comes with the steps between IDs, which pack better.
export function unpacked(chunk) {
  let at = 0;
  return { ...chunk, id: chunk.id.map((step) => (at += step)) };
}

// Puts entries that came, and takes out what is gone, in those chunks of a pack in whose stretches of IDs they are. Gives
// the chunks that are others now, by their new names, and changes what the pack says of its chunks and of how many
// entries there are.
export async function changeChunks(pack, come, gone, read) {
  const { kind } = come;
  const touched = [...gone, ...come.id];
  const list = pack.chunks.filter((each) => each.kind === kind);
  if (!list.length && come.id.length) list.push({ name: "", kind, first: 0 });
  const changed = {};
  for (const [place, each] of list.entries()) {
    const within = (id) => (!place || id >= each.first) && (place === list.length - 1 || id < list[place + 1].first);
    if (!touched.some(within)) continue;
    const before = each.name ? await read(each.name) : columnsOf(kind, []);
    const after = merged(before, come, new Set(touched), within);
    if (after === before) continue;
    const name = `edited-${each.first}-${Math.random()}`;
    changed[name] = after;
    list[place] = { ...each, name };
    pack[`${kind}s`] += after.id.length - before.id.length;
  }
  pack.chunks = [...list, ...pack.chunks.filter((each) => each.kind !== kind)];
  return changed;
}

function merged(chunk, come, touched, within) {
  const rows = rowsOf(chunk);
  const kept = rows.filter((row) => !touched.has(row.id));
  const fresh = rowsOf(come).filter((row) => within(row.id));
  if (kept.length === rows.length && !fresh.length) return chunk;
  return columnsOf(chunk.kind, [...kept, ...fresh].sort((one, other) => one.id - other.id));
}

const rowsOf = (chunk) => chunk.id.map((_, place) => Object.fromEntries(COLUMNS.map((name) => [name, chunk[name][place]])));

const columnsOf = (kind, rows) => ({ kind, ...Object.fromEntries(COLUMNS.map((name) => [name, rows.map((row) => row[name])])) });

// Reads and writes lists as CSV in the same format as the server (exchange/service/list_files.py).
const COLUMNS = ["id", "word", "language", "roman", "meaning", "meaning_language"];
// Cells that a spreadsheet would interpret as a formula, with or without leading apostrophes, get an apostrophe.
const FORMULA = /^'* *[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const ESCAPED_FORMULA = /^'+ *[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

export function writeCSV(rows) {
  const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => String(row[name] ?? "")))];
  return `\ufeff${lines.map((cells) => cells.map(cell).join(",")).join("\r\n")}\r\n`;
}

function cell(text) {
  const escaped = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

// Parses the words of a file by its column names; returns null if it has no column of IDs.
export function readCSV(text) {
  const [header = [], ...rows] = cellsOf(text.replace(/^\ufeff/, ""));
  const columns = Object.fromEntries(header.map((name, index) => [name.trim().toLowerCase(), index]));
  if (columns.id === undefined) return null;
  const valueOf = (row, name) => (row[columns[name]] ?? "").replace(ESCAPED_FORMULA, (match) => match.slice(1));
  return rows.filter((row) => row.some(Boolean)).map((row) => ({
    id: /^[1-9][0-9]{0,9}$/.test(valueOf(row, "id").trim()) ? Number(valueOf(row, "id")) : 0,
    word: valueOf(row, "word"),
    code: valueOf(row, "language"),
    meaning: valueOf(row, "meaning"),
    meaningCode: valueOf(row, "meaning_language"),
  }));
}

function cellsOf(text) {
  const rows = [[""]];
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    const row = rows[rows.length - 1];
    if (isQuoted) {
      if (letter !== '"') row[row.length - 1] += letter;
      else if (text[index + 1] === '"') { row[row.length - 1] += '"'; index += 1; }
      else isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === ",") row.push("");
    else if (letter === "\n") rows.push([""]);
    else if (letter !== "\r") row[row.length - 1] += letter;
  }
  return rows;
}

// Writes samples from -1 to 1 as a WAV file: one channel of 16 bits.
const HEADER_SIZE = 44;

export function encodeWAV(chunks, rate) {
  const count = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const view = new DataView(new ArrayBuffer(HEADER_SIZE + 2 * count));
  let offset = 0;
  const writeText = (text) => [...text].forEach((letter) => view.setUint8(offset++, letter.charCodeAt(0)));
  const writeNumber = (bytes, value) => {
    view[`setUint${8 * bytes}`](offset, value, true);
    offset += bytes;
  };
  writeText("RIFF");
  writeNumber(4, HEADER_SIZE - 8 + 2 * count);
  writeText("WAVEfmt ");
  writeNumber(4, 16);
  writeNumber(2, 1);
  writeNumber(2, 1);
  writeNumber(4, rate);
  writeNumber(4, 2 * rate);
  writeNumber(2, 2);
  writeNumber(2, 16);
  writeText("data");
  writeNumber(4, 2 * count);
  for (const chunk of chunks) {
    for (const sample of chunk) {
      view.setInt16(offset, Math.round(32_767 * Math.max(-1, Math.min(1, sample))), true);
      offset += 2;
    }
  }
  return view.buffer;
}

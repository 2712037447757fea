// Writes samples from -1 to 1 as a WAV file: one channel of 16 bits.
const HEADER = 44;

export function wav(pieces, rate) {
  const count = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const view = new DataView(new ArrayBuffer(HEADER + 2 * count));
  let at = 0;
  const letters = (text) => [...text].forEach((letter) => view.setUint8(at++, letter.charCodeAt(0)));
  const number = (bytes, value) => {
    view[`setUint${8 * bytes}`](at, value, true);
    at += bytes;
  };
  letters("RIFF");
  number(4, HEADER - 8 + 2 * count);
  letters("WAVEfmt ");
  number(4, 16);
  number(2, 1);
  number(2, 1);
  number(4, rate);
  number(4, 2 * rate);
  number(2, 2);
  number(2, 16);
  letters("data");
  number(4, 2 * count);
  for (const piece of pieces) {
    for (const sample of piece) {
      view.setInt16(at, Math.round(32_767 * Math.max(-1, Math.min(1, sample))), true);
      at += 2;
    }
  }
  return view.buffer;
}

// Returns whether two keys differ by one typing mistake: a letter added, missing or replaced, or two letters swapped.
export function isOneTypo(a, b) {
  const difference = a.length - b.length;
  if (difference > 1 || difference < -1) return false;
  let start = 0;
  const minLength = Math.min(a.length, b.length);
  while (start < minLength && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  const [restA, restB] = [endA - start, endB - start];
  if (restA + restB === 0) return false; // the same
  if (restA <= 1 && restB <= 1) return true;
  return restA === 2 && restB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}

// Returns whether two keys differ by one typing mistake: a letter added, missing or replaced, or two letters swapped.
export function isOneSlip(one, other) {
  const longer = one.length - other.length;
  if (longer > 1 || longer < -1) return false;
  let first = 0;
  const shortest = Math.min(one.length, other.length);
  while (first < shortest && one.charCodeAt(first) === other.charCodeAt(first)) first += 1;
  let [end, otherEnd] = [one.length, other.length];
  while (end > first && otherEnd > first && one.charCodeAt(end - 1) === other.charCodeAt(otherEnd - 1)) {
    end -= 1;
    otherEnd -= 1;
  }
  const [left, otherLeft] = [end - first, otherEnd - first];
  if (left + otherLeft === 0) return false; // the same
  if (left <= 1 && otherLeft <= 1) return true;
  return left === 2 && otherLeft === 2 && one[first] === other[first + 1] && one[first + 1] === other[first];
}

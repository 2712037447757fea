// Computes the keys under which a pack stores its words. The server's rules come with the pack as data: they list the
// steps of each key, and STEPS implements the steps.

const foldLetters = (text, table) => {
  let result = "";
  for (const letter of text) result += table[letter] ?? letter.toLowerCase();
  return result;
};

const swapLetters = (text, table) => {
  let result = "";
  for (const letter of text) result += table[letter] ?? letter;
  return result;
};

export class Keys {
  constructor(rules) {
    this.table = rules.folded;
    this.spaces = new RegExp(`[${rules.spaces}]+`, "g");
    this.roman = rules.roman;
    this.groups = new RegExp(rules.roman.groups, "g");
    this.programs = Object.fromEntries(Object.entries(rules.programs).map(([name, steps]) => [name, this.compile(steps)]));
  }

  exact(text) {
    return this.programs.exact(text);
  }

  loose(text) {
    return this.programs.loose(text);
  }

  sound(text) {
    return this.programs.sound(text);
  }

  // The sound keys of the words that a Roman spelling may stand for, likeliest first.
  romanSounds(text, limit = this.roman.most) {
    const groups = (this.programs.typed(text).match(this.groups) ?? []).slice(0, this.roman.longest);
    if (!groups.some((group) => /[a-z]/.test(group))) return [];
    let paths = new Map([["", 1]]);
    for (const readings of this.readings(groups)) paths = likeliestPaths(paths, readings, limit);
    const settledKeys = [...paths.keys()].map((path) => this.programs.settled(path));
    return [...new Set(settledKeys)].filter(Boolean);
  }

  // The possible readings of each group, which depend on its position in the word.
  readings(groups) {
    const last = groups.length - 1;
    const writesA = !groups.slice(0, last).join("").includes("o");
    return groups.map((name, index) => {
      const group = this.roman.readings[name] ?? { any: [[name, 1]] };
      if (!index) return group.start ?? group.any;
      if (group.after_vowel && /[aeiou]$/.test(groups[index - 1])) return group.after_vowel;
      if (index === last) return (writesA && group.end_without_o) || group.end || group.any;
      return (writesA && group.without_o) || group.any;
    });
  }

  compile(steps) {
    const compiledSteps = steps.map(([name, ...rest]) => STEPS[name](this, ...rest));
    return (text) => compiledSteps.reduce((key, step) => step(key), text);
  }
}

const STEPS = {
  do: (keys, name) => (text) => keys.programs[name](text),
  nfc: () => (text) => text.normalize("NFC"),
  nfd: () => (text) => text.normalize("NFD"),
  lower: () => (text) => text.toLowerCase(),
  fold: (keys) => (text) => foldLetters(text, keys.table),
  squeeze: (keys) => (text) => text.replace(keys.spaces, " ").replace(/^ | $/g, ""),
  swap: (keys, table) => (text) => swapLetters(text, table),
  put: (keys, pattern, replacement) => {
    const regex = new RegExp(pattern, "g");
    return (text) => text.replace(regex, () => replacement);
  },
  first: (keys, pattern) => {
    const regex = new RegExp(pattern, "g");
    return (text) => text.replace(regex, (match, first) => first ?? "");
  },
  look: (keys, pattern, table) => {
    const regex = new RegExp(pattern, "g");
    return (text) => text.replace(regex, (match) => table[match] ?? "");
  },
  if: (keys, pattern, then, otherwise) => {
    const regex = new RegExp(pattern);
    const [yes, no] = [keys.compile(then), keys.compile(otherwise)];
    return (text) => (regex.test(text) ? yes(text) : no(text));
  },
};

function likeliestPaths(paths, readings, limit) {
  const extended = new Map();
  for (const [path, probability] of paths) {
    for (const [sound, weight] of readings) {
      const extendedPath = path + sound;
      extended.set(extendedPath, (extended.get(extendedPath) ?? 0) + probability * weight);
    }
  }
  return new Map([...extended].sort((a, b) => b[1] - a[1]).slice(0, limit));
}

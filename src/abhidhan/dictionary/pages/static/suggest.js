// An accessible combobox that suggests words while typing, or Assamese readings of a Roman word.
const DELAY = 120; // ms without a key before a request
const MAX_OFFLINE = 8; // suggestions
let count = 0;

export function init(input) {
  const list = document.createElement("ul");
  list.id = `options-${++count}`;
  list.className = "options-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.getAttribute("aria-label") ?? input.labels[0]?.textContent ?? "");
  list.hidden = true;
  const status = document.createElement("span");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  (input.closest(".search-box, .field") ?? input.parentElement).append(list, status);
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  // A text area cannot have the role of a combobox, but still names its active option.
  if (input.localName === "input") input.setAttribute("role", "combobox");
  new Combobox(input, list, status);
}

class Combobox {
  constructor(input, list, status) {
    Object.assign(this, { input, list, status, index: -1, controller: null, timer: 0 });
    this.names = JSON.parse(input.dataset.languages ?? "{}");
    this.expand(false);
    this.source = "suggest" in input.dataset ? wordSuggestions : romanReadings;
    input.addEventListener("input", () => this.requestSuggestions());
    input.addEventListener("keydown", (event) => this.press(event));
    input.addEventListener("blur", () => { this.closeTimer = setTimeout(() => this.close(), 150); });
    // keyboard.js may move the field after this, and restores its focus immediately: do not close the list then.
    input.addEventListener("focus", () => clearTimeout(this.closeTimer));
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.select(option);
    });
    // On a slow connection, the user may be typing before this script is loaded.
    if (input === document.activeElement && input.value !== input.defaultValue) this.requestSuggestions();
  }

  requestSuggestions() {
    clearTimeout(this.closeTimer); // keys of the on-screen keyboard type while the field has no focus
    clearTimeout(this.timer);
    this.controller?.abort();
    const requestURL = this.source.url(this.input);
    if (!requestURL) return this.close();
    this.timer = setTimeout(async () => {
      const controller = new AbortController();
      this.controller = controller;
      try {
        const response = await fetch(requestURL, { signal: controller.signal });
        if (response.ok) this.show(this.source.words(await response.json()));
      } catch {
        if (!controller.signal.aborted) this.showOffline(controller);
      }
    }, DELAY);
  }

  // Suggests words from the offline dictionary if there is no network.
  async showOffline(controller) {
    const words = await this.source.wordsOffline?.(this.input.value.trim()).catch(() => []);
    if (controller.signal.aborted) return;
    if (words?.length) this.show(words);
    else this.close();
  }

  show(words) {
    this.index = -1;
    this.input.removeAttribute("aria-activedescendant");
    this.list.replaceChildren(...words.map((word, index) => createOption(word, `${this.list.id}-${index}`, this.names)));
    this.list.hidden = !words.length;
    this.expand(words.length > 0);
    const { found, none } = this.input.dataset;
    this.status.textContent = words.length ? (found ?? "").replace("{}", words.length) : none ?? "";
  }

  close() {
    this.controller?.abort();
    clearTimeout(this.timer);
    this.list.hidden = true;
    this.index = -1;
    this.expand(false);
    this.input.removeAttribute("aria-activedescendant");
  }

  expand(open) {
    if (this.input.role === "combobox") this.input.setAttribute("aria-expanded", String(open));
  }

  press(event) {
    if (event.key === "Escape" && !this.list.hidden) {
      event.preventDefault();
      this.close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !this.list.hidden) {
      event.preventDefault();
      this.move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && this.index >= 0 && !event.isComposing) {
      event.preventDefault();
      this.select(this.list.children[this.index]);
    }
  }

  move(step) {
    const options = [...this.list.children];
    options[this.index]?.setAttribute("aria-selected", "false");
    this.index = (this.index + step + options.length + (this.index < 0 && step < 0 ? 1 : 0)) % options.length;
    const option = options[this.index];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  select(option) {
    const { word } = option.dataset;
    this.close();
    this.source.insert(this.input, word);
  }
}

// Returns an option for a word, with its romanization, gloss and language if known (/api/suggest?details=true);
// proverbs are too long for a romanization.
function createOption(suggestion, id, names) {
  const { word, roman, gloss, language, language_code: code, kind } = typeof suggestion === "string" ? { word: suggestion } : suggestion;
  const option = document.createElement("li");
  option.id = id;
  option.dataset.word = word;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  option.append(createSpan(word, "suggested", code ?? languageOf(word)));
  if (roman && kind !== "phrase") option.append(" ", createSpan(roman, "roman", `${code}-Latn`));
  if (gloss) option.append(" ", createSpan(gloss, "gloss", languageOf(gloss)));
  if (language) option.append(" ", createSpan(names[code] ?? language, "of-language", names[code] ? document.documentElement.lang : "en"));
  return option;
}

function createSpan(text, className, lang) {
  return Object.assign(document.createElement("span"), { textContent: text, className, lang, dir: "auto" });
}

export function languageOf(text) {
  if (/[\u0980-\u09ff]/.test(text)) return "as";
  return /[\u0900-\u097f]/.test(text) ? "hi" : "en";
}

const wordSuggestions = {
  url(input) {
    const text = input.value.trim();
    const langs = input.dataset.langs ? `&langs=${encodeURIComponent(input.dataset.langs)}` : "";
    return text && `/api/suggest?details=true&phrases=true&limit=8&q=${encodeURIComponent(text)}${langs}`;
  },
  words: (response) => response,
  async wordsOffline(text) {
    const { complete } = await import("./pack-lookup.js");
    const found = await complete(text, MAX_OFFLINE);
    return found.map(({ entry: { word, roman, senses, source, kind } }) => ({
      word, roman, gloss: senses[0]?.glosses[0], language_code: source.code, kind: kind === "proverb" ? "phrase" : "word",
    }));
  },
  insert(input, word) {
    input.value = word;
    input.form.requestSubmit();
  },
};

// Returns the word in Roman letters before the caret.
const romanBefore = (input) => /[A-Za-z][A-Za-z.'’~`]*$/.exec(input.value.slice(0, input.selectionStart ?? input.value.length))?.[0];

const romanReadings = {
  url(input) {
    const word = romanBefore(input);
    return word && `/api/tlipi.php?to=assamese&pa=${encodeURIComponent(word)}`;
  },
  words: (response) => [response.output, ...response.alternatives.flatMap((suggestion) => suggestion.candidates)].slice(0, 6),
  insert(input, word) {
    const typed = romanBefore(input) ?? "";
    input.setRangeText(word, input.selectionStart - typed.length, input.selectionStart, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  },
};

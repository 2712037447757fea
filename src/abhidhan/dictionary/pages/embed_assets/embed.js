// Look-up by click on any web page: <script src="https://SERVER/embed.js" async></script>. SERVER/embed explains it.
// It defines one global, `abhidhan`; it sets no cookies, stores nothing, and does not block the page's own events.
(() => {
  "use strict";
  const script = document.currentScript || document.querySelector('script[src$="/embed.js"]');
  if (!script || window.abhidhan?.lookUp) return;

  // The server fills in both (dictionary/pages/embed.py).
  const MESSAGES = {/* said */};
  const STYLE = "/* style */";
  const CODES = { 1: "en", 2: "as", 21: "hi", 22: "bn" };
  const FIELDS = "word,roman,language,language_id,pos,definitions,translations";
  const MAX_LETTERS = 60, TIMEOUT = 8000, SELECTION_PAUSE = 500, MIN_WIDTH = 480, MARGIN = 8;

  const options = script.dataset;
  const server = options.server || new URL(".", script.src).href.slice(0, -1);
  const key = (options.key ?? "L").toUpperCase();
  const page = document.documentElement;
  const preferences = [options.interface, page.lang, navigator.language].map((each) => each?.slice(0, 2));
  const language = preferences.find((each) => MESSAGES[each]) ?? "en";
  const texts = MESSAGES[language];
  const say = (name, word) => texts[name].replace("{}", () => word);
  const nameOf = (name) => texts.names[name] ?? name;
  let panel = null;

  // Wraps a handler so that its errors never reach the page.
  const safely = (handler) => async (...values) => {
    try {
      await handler(...values);
    } catch { /* the page is not affected */ }
  };
  const listen = (kind, handler) => document.addEventListener(kind, safely(handler), { passive: true, capture: true });

  function element(name, attributes, ...inside) {
    const node = document.createElement(name);
    for (const each in attributes) node.setAttribute(each, attributes[each]);
    node.append(...inside.filter(Boolean));
    return node;
  }

  function shadowOf(host, ...inside) {
    const shadow = host.attachShadow({ mode: "closed", delegatesFocus: host !== panel?.host });
    if (shadow.adoptedStyleSheets) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      shadow.adoptedStyleSheets = [sheet];
    } else shadow.append(element("style", {}, STYLE));
    // Keys pressed inside must not trigger shortcuts of the page.
    for (const kind of ["keydown", "keyup", "keypress"]) shadow.addEventListener(kind, (event) => event.stopPropagation());
    shadow.append(...inside);
    return shadow;
  }

  // --- finding the word ---------------------------------------------------------------------------------------------

  // Letters with their vowel signs, joined by apostrophes: ক’লা.
  const WORDS = /[\p{L}\p{M}\p{N}\u200c\u200d]+(?:['’ʼ][\p{L}\p{M}\p{N}\u200c\u200d]+)*/gu;

  // Extends a selection to whole words: a double click follows the browser's rules, and a drag may miss an end.
  function wholeWords(text, from, to) {
    const near = [...text.matchAll(WORDS)].map((each) => [each.index, each.index + each[0].length]);
    const within = near.filter(([start, end]) => start < to && end > from);
    const overlapping = within.length ? within : near.filter(([start, end]) => start <= to && end >= from).slice(0, 1);
    if (!overlapping.length) return "";
    const start = overlapping[0][0], end = overlapping.pop()[1];
    // A final apostrophe belongs to an Assamese word, as in ক’, unless the word is in quotes.
    const isWhole = /[\u0980-\u09ff]['’ʼ]/.test(text.slice(end - 1, end + 1)) && !/['‘’]/.test(text.charAt(start - 1));
    return text.slice(start, end + isWhole);
  }

  const ignored = options.ignore || "input, textarea, select, button, [contenteditable], code, pre, kbd, samp";

  function lookUpSelection(target, takesFocus) {
    const selection = getSelection();
    if ((panel && target === panel.host) || !selection.rangeCount) return;
    const range = selection.getRangeAt(0);
    const { startContainer: node, startOffset: from, endOffset: to } = range;
    const before = Math.max(0, from - MAX_LETTERS);
    const text = node === range.endContainer && node.data
      ? wholeWords(node.data.slice(before, to + MAX_LETTERS), from - before, to - before)
      : String(selection).trim();
    const place = node.data ? node.parentElement : node;
    const isIgnored = place.closest(ignored) || target?.closest?.(ignored) || (options.within && !place.closest(options.within));
    if (text && text.length <= MAX_LETTERS && !isIgnored) {
      open(text, range.getBoundingClientRect(), place, takesFocus);
    }
  }

  // --- requests ----------------------------------------------------------------------------------------------------

  async function ask(word) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), TIMEOUT);
    const request = (langs = "as,en") => fetch(`${server}/api/dic.php?${new URLSearchParams({ w: word, fields: FIELDS, langs })}`, {
      credentials: "omit", referrerPolicy: "no-referrer", signal: controller.signal,
    });
    let problem = "unreachable", items;
    const onViolation = (event) => { if (event.blockedURI.startsWith(new URL(server).origin)) problem = "forbidden"; };
    document.addEventListener("securitypolicyviolation", onViolation);
    try {
      let answer = await request(options.languages);
      // The page may request a language that the dictionary does not have (any more); the console shows the 400.
      if (answer.status === 400) answer = await request();
      if (answer.status === 429) problem = "busy";
      items = (await answer.json()).querywords;
    } catch {
      // The browser reports a policy violation after the request has failed.
      await new Promise((done) => setTimeout(done));
    }
    document.removeEventListener("securitypolicyviolation", onViolation);
    return items ? { items } : { problem };
  }

  // --- the content ---------------------------------------------------------------------------------------------------

  const wordElement = ({ word, text = word, language_id: id }) => element("span", { lang: CODES[id] ?? "", dir: "auto" }, text);
  const separated = (all) => all.flatMap((each, at) => (at ? [", ", each] : [each]));

  function meaningOf({ pos, translations, definitions }) {
    const defined = definitions.find((each) => CODES[each.language_id] === language) ?? definitions[0];
    return element("li", {},
      pos && element("span", { class: "quiet" }, nameOf(pos.value), " "),
      ...separated(translations.slice(0, 8).map(wordElement)),
      defined && element("p", {}, wordElement(defined)));
  }

  function entryOf(entry) {
    const roman = entry.roman && element("span", { lang: `${CODES[entry.language_id] ?? "und"}-Latn`, dir: "ltr" }, entry.roman);
    return element("section", {},
      element("h2", {}, wordElement(entry)),
      element("p", { class: "quiet" }, roman, roman && " · ", nameOf(entry.language)),
      element("ol", {}, ...entry.meanings.slice(0, 3).map(meaningOf)));
  }

  function suggestionsOf({ suggestions }) {
    const buttons = suggestions.slice(0, 5).map((each) => {
      const button = element("button", { class: "word" }, wordElement(each));
      button.onclick = safely(() => { panel.dialog.focus(); answer(each.word); });
      return button;
    });
    return buttons.length && element("p", {}, texts.meant, " ", ...separated(buttons));
  }

  function itemOf(item) {
    const note = texts[item.match] && element("p", { class: "quiet" }, say(item.match, item.queryword));
    return [note, ...item.entries.slice(0, 3).map(entryOf), suggestionsOf(item)].filter(Boolean);
  }

  // The text that screen readers announce for a response.
  function summaryOf(items, word) {
    const first = items.flatMap((each) => each.entries)[0];
    if (!first) return say("none", word);
    return `${first.word}: ${(first.meanings[0]?.translations ?? []).slice(0, 3).map((each) => each.word).join(", ")}`;
  }

  // --- the panel ---------------------------------------------------------------------------------------------------

  function open(word, box, place, takesFocus) {
    close();
    const before = document.activeElement;
    const host = element("abhidhan-panel", { popover: "manual" });
    const closing = element("button", { class: "close", "aria-label": texts.close }, "×");
    const status = element("div", { class: "hidden", role: "status" }), body = element("div");
    const link = element("a", { target: "_blank", rel: "noopener noreferrer" }, texts.whole);
    const dialog = element("div", { role: "dialog", "aria-label": texts.title, tabindex: -1, lang: language, dir: "ltr", class: options.theme ?? "" }, closing, status, body, link);
    panel = { host, before, box, dialog, status, body, link };
    panel.shadow = shadowOf(host, dialog);
    closing.onclick = safely(close);
    dialog.addEventListener("keydown", safely(stayInside));
    // A modal dialog of the page makes everything outside it inert.
    (place?.closest("dialog[open]") ?? page).append(host);
    host.showPopover?.();
    // The page's own fonts have the letters of its words, so none is loaded.
    dialog.style.fontFamily = getComputedStyle(document.body).fontFamily;
    if (takesFocus) dialog.focus({ preventScroll: true });
    answer(word);
  }

  async function answer(word) {
    const current = panel, { status, body, link } = panel;
    current.word = word;
    link.href = `${server}/dic/${encodeURIComponent(word)}`;
    body.replaceChildren(element("p", { class: "quiet" }, say("waiting", word)));
    placePanel();
    const { items, problem } = await ask(word);
    if (panel !== current || current.word !== word) return;
    body.replaceChildren(...(problem ? [element("p", {}, texts[problem])] : items.flatMap(itemOf)));
    status.textContent = problem ? texts[problem] : summaryOf(items, word);
    placePanel();
  }

  // Places the panel below the word or above it; on a phone, at the edge of the screen that does not cover the word.
  function placePanel() {
    const { dialog, box } = panel, { style } = dialog;
    const width = page.clientWidth, height = innerHeight;
    const above = box.top - 2 * MARGIN, below = height - box.bottom - 2 * MARGIN;
    const isNarrow = width < MIN_WIDTH;
    const isBelow = below > (isNarrow ? above : Math.min(dialog.scrollHeight, above));
    style.maxHeight = `${isNarrow ? height / 2 : Math.max(120, isBelow ? below : above)}px`;
    const { offsetWidth, offsetHeight } = dialog;
    const within = (at, most) => `${Math.max(MARGIN, Math.min(at, most - MARGIN))}px`;
    style.left = within(box.left, width - offsetWidth);
    style.top = within(isNarrow ? isBelow * height : isBelow ? box.bottom + MARGIN : box.top - offsetHeight - MARGIN, height - offsetHeight);
  }

  function stayInside(event) {
    const all = [...panel.dialog.querySelectorAll("button, a")];
    const here = all.indexOf(panel.shadow.activeElement);
    if (event.key !== "Tab" || (event.shiftKey ? here > 0 : here < all.length - 1)) return;
    all[event.shiftKey ? all.length - 1 : 0].focus();
    event.preventDefault();
  }

  function close() {
    if (!panel) return;
    const { host, before } = panel;
    const hadFocus = document.activeElement === host;
    panel = null;
    host.remove();
    if (hadFocus) before?.focus({ preventScroll: true });
  }

  // --- a search box ------------------------------------------------------------------------------------------------

  class SearchBox extends HTMLElement {
    connectedCallback() {
      if (this.isReady) return;
      this.isReady = true;
      const input = element("input", { id: "word", type: "search", autocapitalize: "none", dir: "auto" });
      const form = element("form", { role: "search", lang: language, dir: "ltr", class: options.theme ?? "" },
        element("label", { for: "word" }, this.getAttribute("label") ?? texts.lookUp), input, element("button", {}, texts.search));
      form.onsubmit = (event) => {
        event.preventDefault();
        lookUp(input.value, this);
      };
      shadowOf(this, form);
    }
  }

  // --- triggers ----------------------------------------------------------------------------------------------------

  const [isDouble, isSelect] = ["double", "select"].map((each) => (options.trigger ?? "double") === each);
  let pointer = "", settling = 0;
  listen("pointerdown", (event) => {
    pointer = event.pointerType;
    if (event.target !== panel?.host) close();
  });
  if (isDouble) listen("dblclick", ({ target }) => lookUpSelection(target, true));
  // After a long press, the ends of the selection can still be moved: wait until they rest.
  if (isDouble || isSelect) {
    listen("selectionchange", () => {
      clearTimeout(settling);
      if ((isSelect || pointer === "touch") && !getSelection().isCollapsed) settling = setTimeout(safely(lookUpSelection), SELECTION_PAUSE);
    });
  }
  listen("keydown", (event) => {
    if (event.key === "Escape") close();
    if (key && event.code === `Key${key}` && event.altKey && !event.ctrlKey && !event.metaKey) lookUpSelection(event.target, true);
  });

  const lookUp = safely((text, near) => {
    const word = String(text).trim().slice(0, 200);
    if (word) open(word, near?.getBoundingClientRect() ?? { left: 0, top: 0, bottom: 0 }, near, true);
  });
  Object.defineProperty(window, "abhidhan", { value: Object.freeze({ lookUp, close: safely(close) }) });
  if (!customElements.get("abhidhan-search")) customElements.define("abhidhan-search", SearchBox);
})();

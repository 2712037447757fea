// Look-up by click on any web page: <script src="https://SERVER/embed.js" async></script>. SERVER/embed explains it.
// It leaves one global, `abhidhan`; it sets no cookie, stores nothing, and the page's own events go on as before.
(() => {
  "use strict";
  const script = document.currentScript || document.querySelector('script[src$="/embed.js"]');
  if (!script || window.abhidhan?.lookUp) return;

  // The server writes both (dictionary/pages/embed.py).
  const SAID = {/* said */};
  const STYLE = "/* style */";
  const CODES = { 1: "en", 2: "as", 21: "hi", 22: "bn" };
  const FIELDS = "word,roman,language,language_id,pos,definitions,translations";
  const LONGEST = 60, PATIENCE = 8000, SETTLED = 500, NARROW = 480, EDGE = 8;

  const options = script.dataset;
  const server = options.server || new URL(".", script.src).href.slice(0, -1);
  const key = (options.key ?? "L").toUpperCase();
  const page = document.documentElement;
  const wanted = [options.interface, page.lang, navigator.language].map((each) => each?.slice(0, 2));
  const language = wanted.find((each) => SAID[each]) ?? "en";
  const said = SAID[language];
  const say = (name, word) => said[name].replace("{}", () => word);
  const named = (name) => said.names[name] ?? name;
  let panel = null;

  // The page never hears of a mistake that is made here.
  const safely = (work) => async (...given) => {
    try {
      await work(...given);
    } catch { /* nothing is shown, and the page goes on */ }
  };
  const listen = (kind, work) => document.addEventListener(kind, safely(work), { passive: true, capture: true });

  function element(name, attributes, ...inside) {
    const made = document.createElement(name);
    for (const each in attributes) made.setAttribute(each, attributes[each]);
    made.append(...inside.filter(Boolean));
    return made;
  }

  function shadowOf(host, ...inside) {
    const shadow = host.attachShadow({ mode: "closed", delegatesFocus: host !== panel?.host });
    if (shadow.adoptedStyleSheets) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      shadow.adoptedStyleSheets = [sheet];
    } else shadow.append(element("style", {}, STYLE));
    // Keys that are meant for what is in here are no shortcuts of the page.
    for (const kind of ["keydown", "keyup", "keypress"]) shadow.addEventListener(kind, (event) => event.stopPropagation());
    shadow.append(...inside);
    return shadow;
  }

  // --- which word is meant -----------------------------------------------------------------------------------------

  // Letters with the signs on them, joined by apostrophes: ক’লা.
  const WORDS = /[\p{L}\p{M}\p{N}\u200c\u200d]+(?:['’ʼ][\p{L}\p{M}\p{N}\u200c\u200d]+)*/gu;

  // Who double-clicks selects what the browser takes for a word; who selects may miss an end of it.
  function wholeWords(text, from, to) {
    const near = [...text.matchAll(WORDS)].map((each) => [each.index, each.index + each[0].length]);
    const within = near.filter(([start, end]) => start < to && end > from);
    const touched = within.length ? within : near.filter(([start, end]) => start <= to && end >= from).slice(0, 1);
    if (!touched.length) return "";
    const start = touched[0][0], end = touched.pop()[1];
    // At the end of an Assamese word an apostrophe belongs to it, as in ক’, unless the word stands in quotes.
    const isWhole = /[\u0980-\u09ff]['’ʼ]/.test(text.slice(end - 1, end + 1)) && !/['‘’]/.test(text.charAt(start - 1));
    return text.slice(start, end + isWhole);
  }

  const ignored = options.ignore || "input, textarea, select, button, [contenteditable], code, pre, kbd, samp";

  function lookUpSelection(target, takesFocus) {
    const selection = getSelection();
    if ((panel && target === panel.host) || !selection.rangeCount) return;
    const range = selection.getRangeAt(0);
    const { startContainer: node, startOffset: from, endOffset: to } = range;
    const before = Math.max(0, from - LONGEST);
    const text = node === range.endContainer && node.data
      ? wholeWords(node.data.slice(before, to + LONGEST), from - before, to - before)
      : String(selection).trim();
    const place = node.data ? node.parentElement : node;
    const isLeftOut = place.closest(ignored) || target?.closest?.(ignored) || (options.within && !place.closest(options.within));
    if (text && text.length <= LONGEST && !isLeftOut) {
      open(text, range.getBoundingClientRect(), place, takesFocus);
    }
  }

  // --- asking ------------------------------------------------------------------------------------------------------

  async function ask(word) {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), PATIENCE);
    const fetched = (langs = "as,en") => fetch(`${server}/api/dic.php?${new URLSearchParams({ w: word, fields: FIELDS, langs })}`, {
      credentials: "omit", referrerPolicy: "no-referrer", signal: stopping.signal,
    });
    let problem = "unreachable", items;
    const refused = (event) => { if (event.blockedURI.startsWith(new URL(server).origin)) problem = "forbidden"; };
    document.addEventListener("securitypolicyviolation", refused);
    try {
      let answer = await fetched(options.languages);
      // The page may name a language that the dictionary does not have, or has no more: its console tells of the 400.
      if (answer.status === 400) answer = await fetched();
      if (answer.status === 429) problem = "busy";
      items = (await answer.json()).querywords;
    } catch {
      // That the policy of the page forbids it is told after the request has failed.
      await new Promise((done) => setTimeout(done));
    }
    document.removeEventListener("securitypolicyviolation", refused);
    return items ? { items } : { problem };
  }

  // --- what is shown -----------------------------------------------------------------------------------------------

  const written = ({ word, text = word, language_id: id }) => element("span", { lang: CODES[id] ?? "", dir: "auto" }, text);
  const listed = (all) => all.flatMap((each, at) => (at ? [", ", each] : [each]));

  function meaningOf({ pos, translations, definitions }) {
    const defined = definitions.find((each) => CODES[each.language_id] === language) ?? definitions[0];
    return element("li", {},
      pos && element("span", { class: "quiet" }, named(pos.value), " "),
      ...listed(translations.slice(0, 8).map(written)),
      defined && element("p", {}, written(defined)));
  }

  function entryOf(entry) {
    const roman = entry.roman && element("span", { lang: `${CODES[entry.language_id] ?? "und"}-Latn`, dir: "ltr" }, entry.roman);
    return element("section", {},
      element("h2", {}, written(entry)),
      element("p", { class: "quiet" }, roman, roman && " · ", named(entry.language)),
      element("ol", {}, ...entry.meanings.slice(0, 3).map(meaningOf)));
  }

  function meantOf({ suggestions }) {
    const buttons = suggestions.slice(0, 5).map((each) => {
      const button = element("button", { class: "word" }, written(each));
      button.onclick = safely(() => { panel.dialog.focus(); answer(each.word); });
      return button;
    });
    return buttons.length && element("p", {}, said.meant, " ", ...listed(buttons));
  }

  function itemOf(item) {
    const note = said[item.match] && element("p", { class: "quiet" }, say(item.match, item.queryword));
    return [note, ...item.entries.slice(0, 3).map(entryOf), meantOf(item)].filter(Boolean);
  }

  // What a screen reader says of an answer, when it has time.
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
    const closing = element("button", { class: "close", "aria-label": said.close }, "×");
    const status = element("div", { class: "hidden", role: "status" }), body = element("div");
    const link = element("a", { target: "_blank", rel: "noopener noreferrer" }, said.whole);
    const dialog = element("div", { role: "dialog", "aria-label": said.title, tabindex: -1, lang: language, dir: "ltr", class: options.theme ?? "" }, closing, status, body, link);
    panel = { host, before, box, dialog, status, body, link };
    panel.shadow = shadowOf(host, dialog);
    closing.onclick = safely(close);
    dialog.addEventListener("keydown", safely(stayInside));
    // A modal dialog of the page makes all that is not in it inert.
    (place?.closest("dialog[open]") ?? page).append(host);
    host.showPopover?.();
    // The fonts of the page have the letters of its words; none is loaded.
    dialog.style.fontFamily = getComputedStyle(document.body).fontFamily;
    if (takesFocus) dialog.focus({ preventScroll: true });
    answer(word);
  }

  async function answer(word) {
    const asked = panel, { status, body, link } = panel;
    asked.word = word;
    link.href = `${server}/dic/${encodeURIComponent(word)}`;
    body.replaceChildren(element("p", { class: "quiet" }, say("waiting", word)));
    put();
    const { items, problem } = await ask(word);
    if (panel !== asked || asked.word !== word) return;
    body.replaceChildren(...(problem ? [element("p", {}, said[problem])] : items.flatMap(itemOf)));
    status.textContent = problem ? said[problem] : summaryOf(items, word);
    put();
  }

  // Below the word, or above it; on a phone at the edge of the screen that leaves the word in sight.
  function put() {
    const { dialog, box } = panel, { style } = dialog;
    const width = page.clientWidth, height = innerHeight;
    const above = box.top - 2 * EDGE, below = height - box.bottom - 2 * EDGE;
    const isNarrow = width < NARROW;
    const isBelow = below > (isNarrow ? above : Math.min(dialog.scrollHeight, above));
    style.maxHeight = `${isNarrow ? height / 2 : Math.max(120, isBelow ? below : above)}px`;
    const { offsetWidth, offsetHeight } = dialog;
    const within = (at, most) => `${Math.max(EDGE, Math.min(at, most - EDGE))}px`;
    style.left = within(box.left, width - offsetWidth);
    style.top = within(isNarrow ? isBelow * height : isBelow ? box.bottom + EDGE : box.top - offsetHeight - EDGE, height - offsetHeight);
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
        element("label", { for: "word" }, this.getAttribute("label") ?? said.lookUp), input, element("button", {}, said.search));
      form.onsubmit = (event) => {
        event.preventDefault();
        lookUp(input.value, this);
      };
      shadowOf(this, form);
    }
  }

  // --- when --------------------------------------------------------------------------------------------------------

  const [isDouble, isSelect] = ["double", "select"].map((each) => (options.trigger ?? "double") === each);
  let pointer = "", settling = 0;
  listen("pointerdown", (event) => {
    pointer = event.pointerType;
    if (event.target !== panel?.host) close();
  });
  if (isDouble) listen("dblclick", ({ target }) => lookUpSelection(target, true));
  // A long press selects a word, and its ends may still be moved: the answer comes when they rest.
  if (isDouble || isSelect) {
    listen("selectionchange", () => {
      clearTimeout(settling);
      if ((isSelect || pointer === "touch") && !getSelection().isCollapsed) settling = setTimeout(safely(lookUpSelection), SETTLED);
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

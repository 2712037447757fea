// Inserts the beginning of the encyclopedia article when the page is loaded and idle.
const MAX_EXTRACT = 900; // characters

export function init(section) {
  const start = () => load(section);
  if ("requestIdleCallback" in window) requestIdleCallback(start);
  else setTimeout(start, 200);
}

async function load(section) {
  const { article, language, lang } = section.dataset;
  try {
    const response = await fetch(`/api/dic-wiki.php?w=${encodeURIComponent(article)}&lgid=${language}`);
    const body = response.ok ? await response.json() : {};
    if (body.success && body.extract) show(section, body, lang);
  } catch {
    // The link to the encyclopedia stays.
  }
}

function show(section, body, lang) {
  const extract = document.createElement("p");
  extract.lang = lang;
  extract.dir = "auto";
  extract.textContent = body.extract.length > MAX_EXTRACT ? `${body.extract.slice(0, body.extract.lastIndexOf(" ", MAX_EXTRACT))} …` : body.extract;
  const link = section.querySelector("a");
  if (/^https?:/.test(body.url ?? "")) link.href = body.url;
  link.textContent = body.title;
  link.lang = lang;
  const source = section.querySelector(".source");
  source.textContent = [body.source, body.licence].filter(Boolean).join(" · ");
  source.hidden = false;
  link.parentElement.before(extract);
}

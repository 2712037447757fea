// Shows existing words that are similar to the one being typed, before the form is sent.
export function init(container) {
  const { word, language } = container.closest("form").elements;
  let controller = null;
  const update = async () => {
    controller?.abort();
    if (!word.value.trim()) return container.replaceChildren();
    controller = new AbortController();
    try {
      const query = new URLSearchParams({ word: word.value, language: language.value });
      const response = await fetch(`${container.dataset.similar}?${query}`, { signal: controller.signal });
      // The server returns a fragment of this page.
      if (response.ok) container.innerHTML = await response.text();
    } catch {
      // The request was aborted or failed: similar words are shown when the form is sent.
    }
  };
  word.addEventListener("change", update);
  language.addEventListener("change", update);
  // On a slow connection, the word may have been typed before this script was loaded.
  if (word.value !== word.defaultValue) update();
}

// Shows existing words that are similar to the one being typed, before the form is sent.
export function begin(place) {
  const { word, language } = place.closest("form").elements;
  let controller = null;
  const ask = async () => {
    controller?.abort();
    if (!word.value.trim()) return place.replaceChildren();
    controller = new AbortController();
    try {
      const query = new URLSearchParams({ word: word.value, language: language.value });
      const answer = await fetch(`${place.dataset.similar}?${query}`, { signal: controller.signal });
      // The server returns a fragment of this page.
      if (answer.ok) place.innerHTML = await answer.text();
    } catch {
      // The request was aborted or failed: similar words are shown when the form is sent.
    }
  };
  word.addEventListener("change", ask);
  language.addEventListener("change", ask);
  // On a slow connection, the word may have been typed before this script was loaded.
  if (word.value !== word.defaultValue) ask();
}

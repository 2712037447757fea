// Shows the words that are here already and like the one that somebody writes, before anything is sent.
export function begin(place) {
  const { word, language } = place.closest("form").elements;
  let asked = null;
  const ask = async () => {
    asked?.abort();
    if (!word.value.trim()) return place.replaceChildren();
    asked = new AbortController();
    try {
      const query = new URLSearchParams({ word: word.value, language: language.value });
      const answer = await fetch(`${place.dataset.similar}?${query}`, { signal: asked.signal });
      // What the server says is a piece of this very page.
      if (answer.ok) place.innerHTML = await answer.text();
    } catch {
      // Asked anew, or the network is gone: the words are told when the form is sent.
    }
  };
  word.addEventListener("change", ask);
  language.addEventListener("change", ask);
  // On a slow line somebody has written the word before this came.
  if (word.value !== word.defaultValue) ask();
}

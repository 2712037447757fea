// Plays a recording on the page, in place of its link. Without this script, or on a failure, the link opens the file.
let playing = null;

export function init(link) {
  link.replaceWith(playButton(link));
}

// Returns a button that plays the target of a link or of another such button.
export function playButton(link) {
  const url = link.dataset.play;
  const button = Object.assign(document.createElement("button"), { type: "button", className: link.className });
  button.append(...[...link.childNodes].map((node) => node.cloneNode(true)));
  button.setAttribute("aria-label", link.getAttribute("aria-label"));
  button.dataset.play = url;
  setPressed(button, false);
  let audio = null;
  button.addEventListener("click", async () => {
    if (audio && playing === audio) return audio.pause();
    playing?.pause();
    audio ??= createAudio(url, button);
    playing = audio;
    audio.currentTime = 0;
    try {
      await audio.play();
    } catch {
      if (audio.error && navigator.onLine !== false) location.assign(url);
    }
  });
  return button;
}

function createAudio(url, button) {
  const audio = new Audio(url);
  audio.addEventListener("play", () => setPressed(button, true));
  for (const type of ["pause", "ended"]) {
    audio.addEventListener(type, () => {
      setPressed(button, false);
      if (playing === audio) playing = null;
    });
  }
  return audio;
}

function setPressed(button, isPlaying) {
  button.setAttribute("aria-pressed", String(isPlaying));
}

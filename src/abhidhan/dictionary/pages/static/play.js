// Plays a recording on the page, in place of its link. Without this script, or on a failure, the link opens the file.
let playing = null;

export function begin(link) {
  link.replaceWith(playButton(link));
}

// Returns a button that plays the target of a link or of another such button.
export function playButton(link) {
  const address = link.dataset.play;
  const button = Object.assign(document.createElement("button"), { type: "button", className: link.className });
  button.append(...[...link.childNodes].map((each) => each.cloneNode(true)));
  button.setAttribute("aria-label", link.getAttribute("aria-label"));
  button.dataset.play = address;
  mark(button, false);
  let sound = null;
  button.addEventListener("click", async () => {
    if (sound && playing === sound) return sound.pause();
    playing?.pause();
    sound ??= soundOf(address, button);
    playing = sound;
    sound.currentTime = 0;
    try {
      await sound.play();
    } catch {
      if (sound.error && navigator.onLine !== false) location.assign(address);
    }
  });
  return button;
}

function soundOf(address, button) {
  const sound = new Audio(address);
  sound.addEventListener("play", () => mark(button, true));
  for (const end of ["pause", "ended"]) {
    sound.addEventListener(end, () => {
      mark(button, false);
      if (playing === sound) playing = null;
    });
  }
  return sound;
}

function mark(button, plays) {
  button.setAttribute("aria-pressed", String(plays));
}

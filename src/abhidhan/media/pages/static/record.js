// Records a voice on the page, shows its level, plays it back, and sends it. The recording becomes the chosen file of
// the form, so that recorded and chosen files are handled alike.
import { canListen, listen } from "./microphone.js";
import { number, onceOnly, saying, sendAway, wouldLose } from "./form-submission.js";
import { wav } from "./wav.js";

const MAX_SECONDS = 15;
const CLIPPED = 0.99;
const SOFT = 0.05; // 26 dB below full scale
const METER_RANGE = 60; // dB below full scale
const SOUNDS = /\.(wav|flac|ogg|oga|opus|mp3)$/i;

export function begin(form) {
  const say = saying(form);
  const keyPrefix = onceOnly();
  const file = form.elements.recording;
  const chosen = new ChosenFile(form, say);
  new Recorder(form, say, (made) => chosen.take(made));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { size, lastModified } = file.files[0] ?? {};
    sendAway(form, { key: `${keyPrefix}-${size}-${lastModified}`, say, sent: () => wouldLose(file, false) });
  });
}

// The chosen file of the form, which can be played and is checked before it is sent.
class ChosenFile {
  constructor(form, say) {
    Object.assign(this, { form, say, file: form.elements.recording, player: form.querySelector("audio") });
    this.file.addEventListener("change", () => {
      // A chosen file replaces the recording and exists elsewhere, so there is nothing to lose.
      wouldLose(this.file, false);
      this.show();
    });
    // On a slow connection, a file may have been chosen before this script was loaded.
    if (this.file.files.length) this.show();
  }

  take(made) {
    const transfer = new DataTransfer();
    transfer.items.add(made);
    this.file.files = transfer.files;
    wouldLose(this.file, true);
    this.show();
  }

  show() {
    const [chosen] = this.file.files;
    const problem = chosen ? this.problemOf(chosen) : "";
    this.say(problem);
    this.file.setCustomValidity(problem);
    if (this.player.src) URL.revokeObjectURL(this.player.src);
    this.player.hidden = !chosen || Boolean(problem);
    if (!this.player.hidden) this.player.src = URL.createObjectURL(chosen);
  }

  problemOf(chosen) {
    if (chosen.size > Number(this.file.dataset.most)) return this.form.dataset.tooBig;
    return SOUNDS.test(chosen.name) ? "" : this.form.dataset.wrongKind;
  }
}

// A single button starts, stops and restarts the recording, so that keyboard users do not lose the focus.
class Recorder {
  constructor(form, say, made) {
    const find = (name) => form.querySelector(`[data-${name}]`);
    Object.assign(this, { form, say, made, texts: form.dataset, button: find("toggle") });
    Object.assign(this, { time: find("time"), meter: find("level"), verdict: find("verdict"), status: find("status") });
    const cannot = window.isSecureContext ? !canListen() && this.texts.cannot : this.texts.insecure;
    find("recorder").hidden = false;
    this.button.hidden = Boolean(cannot);
    this.status.textContent = cannot || "";
    this.button.addEventListener("click", () => (this.microphone ? this.end() : this.start()));
    addEventListener("pagehide", () => this.microphone?.stop());
  }

  async start() {
    if (this.starting) return;
    this.starting = true;
    this.say("");
    this.form.querySelector("audio").pause();
    this.pieces = [];
    this.count = this.loudest = 0;
    try {
      this.microphone = await listen((samples) => this.addSamples(samples), () => this.microphone && this.end());
      this.button.textContent = this.texts.stop;
      this.meter.hidden = false;
      this.showLevel(0);
      this.status.textContent = this.texts.recording;
    } catch (error) {
      this.status.textContent = { NotAllowedError: this.texts.denied, NotFoundError: this.texts.none }[error.name] ?? this.texts.busy;
    }
    this.starting = false;
  }

  addSamples(samples) {
    // Samples before the rate is known are only the click of the button.
    if (!this.microphone) return;
    const room = MAX_SECONDS * this.microphone.rate - this.count;
    const kept = samples.subarray(0, room);
    const loud = kept.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    this.pieces.push(kept);
    this.count += kept.length;
    this.loudest = Math.max(this.loudest, loud);
    this.showLevel(loud);
    if (kept.length === room) this.end();
  }

  showLevel(loud) {
    const seconds = this.count / this.microphone.rate;
    this.time.textContent = this.texts.seconds.replace("{}", number(Math.floor(seconds)));
    this.meter.value = loud ? Math.max(0, 1 + (20 * Math.log10(loud)) / METER_RANGE) : 0;
    const verdict = loud >= CLIPPED ? this.texts.loud : loud < SOFT ? this.texts.soft : this.texts.good;
    this.meter.setAttribute("aria-valuetext", verdict);
    this.verdict.textContent = verdict;
  }

  end() {
    const { rate } = this.microphone;
    this.microphone.stop();
    this.microphone = null;
    this.button.textContent = this.texts.again;
    this.meter.hidden = true;
    this.verdict.textContent = "";
    this.made(new File([wav(this.pieces, rate)], "recording.wav", { type: "audio/wav" }));
    const { clipped, faint, done } = this.texts;
    this.status.textContent = this.loudest >= CLIPPED ? clipped : this.loudest < SOFT ? faint : done;
  }
}

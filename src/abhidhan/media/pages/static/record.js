// Records a voice on the page, shows its level, plays it back, and sends it. The recording becomes the chosen file of
// the form, so that recorded and chosen files are handled alike.
import { formatNumber } from "./formatting.js";
import { canRecord, startMicrophone } from "./microphone.js";
import { createIdempotencyKey, guardUnload, messageWriter, sendAndFollow } from "./form-submission.js";
import { encodeWAV } from "./wav.js";

const MAX_SECONDS = 15;
const CLIPPING = 0.99;
const FAINT = 0.05; // 26 dB below full scale
const METER_RANGE = 60; // dB below full scale
const SOUND_NAME = /\.(wav|flac|ogg|oga|opus|mp3)$/i;

export function init(form) {
  const showMessage = messageWriter(form);
  const keyPrefix = createIdempotencyKey();
  const file = form.elements.recording;
  const chosen = new ChosenFile(form, showMessage);
  new Recorder(form, showMessage, (recording) => chosen.setFile(recording));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { size, lastModified } = file.files[0] ?? {};
    sendAndFollow(form, { key: `${keyPrefix}-${size}-${lastModified}`, showMessage, onSuccess: () => guardUnload(file, false) });
  });
}

// The chosen file of the form, which can be played and is checked before it is sent.
class ChosenFile {
  constructor(form, showMessage) {
    Object.assign(this, { form, showMessage, file: form.elements.recording, player: form.querySelector("audio") });
    this.file.addEventListener("change", () => {
      // A chosen file replaces the recording and exists elsewhere, so there is nothing to lose.
      guardUnload(this.file, false);
      this.show();
    });
    // On a slow connection, a file may have been chosen before this script was loaded.
    if (this.file.files.length) this.show();
  }

  setFile(recording) {
    const transfer = new DataTransfer();
    transfer.items.add(recording);
    this.file.files = transfer.files;
    guardUnload(this.file, true);
    this.show();
  }

  show() {
    const [chosen] = this.file.files;
    const problem = chosen ? this.problemOf(chosen) : "";
    this.showMessage(problem);
    this.file.setCustomValidity(problem);
    if (this.player.src) URL.revokeObjectURL(this.player.src);
    this.player.hidden = !chosen || Boolean(problem);
    if (!this.player.hidden) this.player.src = URL.createObjectURL(chosen);
  }

  problemOf(chosen) {
    if (chosen.size > Number(this.file.dataset.maxBytes)) return this.form.dataset.tooBig;
    return SOUND_NAME.test(chosen.name) ? "" : this.form.dataset.wrongKind;
  }
}

// A single button starts, stops and restarts the recording, so that keyboard users do not lose the focus.
class Recorder {
  constructor(form, showMessage, onRecording) {
    const find = (name) => form.querySelector(`[data-${name}]`);
    Object.assign(this, { form, showMessage, onRecording, texts: form.dataset, button: find("toggle") });
    Object.assign(this, { time: find("time"), meter: find("level"), verdict: find("verdict"), status: find("status") });
    const problem = window.isSecureContext ? !canRecord() && this.texts.unsupported : this.texts.insecure;
    find("recorder").hidden = false;
    this.button.hidden = Boolean(problem);
    this.status.textContent = problem || "";
    this.button.addEventListener("click", () => (this.microphone ? this.end() : this.start()));
    addEventListener("pagehide", () => this.microphone?.stop());
  }

  async start() {
    if (this.starting) return;
    this.starting = true;
    this.showMessage("");
    this.form.querySelector("audio").pause();
    this.chunks = [];
    this.count = this.maxPeak = 0;
    try {
      this.microphone = await startMicrophone((samples) => this.addSamples(samples), () => this.microphone && this.end());
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
    const remaining = MAX_SECONDS * this.microphone.rate - this.count;
    const accepted = samples.subarray(0, remaining);
    const peak = accepted.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
    this.chunks.push(accepted);
    this.count += accepted.length;
    this.maxPeak = Math.max(this.maxPeak, peak);
    this.showLevel(peak);
    if (accepted.length === remaining) this.end();
  }

  showLevel(peak) {
    const seconds = this.count / this.microphone.rate;
    this.time.textContent = this.texts.seconds.replace("{}", formatNumber(Math.floor(seconds)));
    this.meter.value = peak ? Math.max(0, 1 + (20 * Math.log10(peak)) / METER_RANGE) : 0;
    const verdict = peak >= CLIPPING ? this.texts.loud : peak < FAINT ? this.texts.soft : this.texts.good;
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
    this.onRecording(new File([encodeWAV(this.chunks, rate)], "recording.wav", { type: "audio/wav" }));
    const { clipped, faint, done } = this.texts;
    this.status.textContent = this.maxPeak >= CLIPPING ? clipped : this.maxPeak < FAINT ? faint : done;
  }
}

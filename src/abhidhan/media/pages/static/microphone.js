// Records samples from the microphone until it is stopped.
const UNPROCESSED = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false };
const SILENCE_TIMEOUT = 5000; // ms without samples, after which the microphone is assumed to be in use, such as by a call

export function canRecord() {
  try {
    // Needed to turn a recording into a chosen file; browsers without it also lack AudioWorklet.
    new DataTransfer();
    return Boolean(navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode);
  } catch {
    return false;
  }
}

// Calls `onSamples` with each chunk of samples, and `onEnd` when the microphone is lost. Throws getUserMedia's errors.
export async function startMicrophone(onSamples, onEnd) {
  // Created and resumed before the first await: Safari allows audio to start only in the click handler.
  let context = new AudioContext();
  resumeAudio(context);
  let stream;
  const stop = async () => {
    stream?.getTracks().forEach((track) => track.stop());
    if (context.state !== "closed") await context.close();
  };
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: UNPROCESSED });
    const [track] = stream.getAudioTracks();
    const { sampleRate = context.sampleRate } = track.getSettings();
    if (sampleRate !== context.sampleRate) {
      // In Safari, the context keeps the sample rate from before, which would change the pitch.
      context.close();
      context = new AudioContext();
    }
    await waitForSamples(context, stream, onSamples);
    track.addEventListener("ended", onEnd);
  } catch (error) {
    await stop();
    throw error;
  }
  return { rate: context.sampleRate, stop };
}

// Not awaited, as the promise never settles if the browser does not allow audio.
function resumeAudio(context) {
  context.resume().catch(() => {});
}

// Connects the microphone, and waits for the first samples.
async function waitForSamples(context, stream, onSamples) {
  await context.audioWorklet.addModule(new URL("./sound-collector.js", import.meta.url));
  resumeAudio(context);
  const collector = new AudioWorkletNode(context, "collector");
  const firstSamples = new Promise((resolve, reject) => {
    setTimeout(reject, SILENCE_TIMEOUT, new Error("nothing is heard"));
    collector.port.onmessage = ({ data }) => {
      resolve();
      onSamples(data);
    };
  });
  context.createMediaStreamSource(stream).connect(collector);
  // Some browsers run the worklet only if it is connected to an output; it outputs silence.
  collector.connect(context.destination);
  await firstSamples;
}

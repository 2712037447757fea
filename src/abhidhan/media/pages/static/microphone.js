// Records samples from the microphone until it is stopped.
const AS_IT_IS = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false };
const SILENT = 5000; // ms without samples, after which the microphone is assumed to be in use, such as by a call

export function canListen() {
  try {
    // Needed to turn a recording into a chosen file; browsers without it also lack AudioWorklet.
    new DataTransfer();
    return Boolean(navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode);
  } catch {
    return false;
  }
}

// Calls `hear` with each chunk of samples, and `ended` when the microphone is lost. Throws the errors of getUserMedia.
export async function listen(hear, ended) {
  // Created and resumed before the first await: Safari allows audio to start only in the click handler.
  let context = new AudioContext();
  letGo(context);
  let stream;
  const stop = async () => {
    stream?.getTracks().forEach((track) => track.stop());
    if (context.state !== "closed") await context.close();
  };
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: AS_IT_IS });
    const [track] = stream.getAudioTracks();
    const { sampleRate = context.sampleRate } = track.getSettings();
    if (sampleRate !== context.sampleRate) {
      // In Safari, the context keeps the sample rate from before, which would change the pitch.
      context.close();
      context = new AudioContext();
    }
    await firstOf(context, stream, hear);
    track.addEventListener("ended", ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return { rate: context.sampleRate, stop };
}

// Not awaited, as the promise never settles if the browser does not allow audio.
function letGo(context) {
  context.resume().catch(() => {});
}

// Connects the microphone, and waits for the first samples.
async function firstOf(context, stream, hear) {
  await context.audioWorklet.addModule(new URL("./sound-collector.js", import.meta.url));
  letGo(context);
  const collector = new AudioWorkletNode(context, "collector");
  const heard = new Promise((resolve, reject) => {
    setTimeout(reject, SILENT, new Error("nothing is heard"));
    collector.port.onmessage = ({ data }) => {
      resolve();
      hear(data);
    };
  });
  context.createMediaStreamSource(stream).connect(collector);
  // Some browsers run the worklet only if it is connected to an output; it outputs silence.
  collector.connect(context.destination);
  await heard;
}

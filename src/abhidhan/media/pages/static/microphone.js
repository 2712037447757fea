// Listens to the microphone: the samples as they come, until it is told to stop.
const AS_IT_IS = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false };
const SILENT = 5000; // ms without a single sample: something else has the microphone, such as a call

export function canListen() {
  try {
    // What is recorded becomes a chosen file by this; browsers that cannot make one are older than AudioWorklet.
    new DataTransfer();
    return Boolean(navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode);
  } catch {
    return false;
  }
}

// Calls `hear` with each piece of samples, and `ended` when the microphone is taken away. Throws what getUserMedia throws.
export async function listen(hear, ended) {
  // Made and let go on before anything is waited for: Safari lets no sound begin later than the click.
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
      // Safari's keeps the rate that the device had before it listened: a voice would sound too high or too low.
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

// Nobody waits for it: where a browser does not let go, this never ends.
function letGo(context) {
  context.resume().catch(() => {});
}

// Connects the microphone, and waits until it is heard.
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
  // Without a way out some browsers do not run it; what comes out is silence.
  collector.connect(context.destination);
  await heard;
}

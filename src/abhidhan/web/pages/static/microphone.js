// Listens to the microphone: the samples as they come, until it is told to stop.
const AS_IT_IS = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false };

export const canListen = () => Boolean(navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode);

// Calls `hear` with each piece of samples. Throws what getUserMedia throws.
export async function listen(hear) {
  // Made before anything is waited for: some browsers let no sound begin later than the click.
  const context = new AudioContext();
  let stream;
  const stop = async () => {
    stream?.getTracks().forEach((track) => track.stop());
    if (context.state !== "closed") await context.close();
  };
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: AS_IT_IS });
    await context.audioWorklet.addModule(new URL("./sound-collector.js", import.meta.url));
    await context.resume();
    const collector = new AudioWorkletNode(context, "collector");
    collector.port.onmessage = ({ data }) => hear(data);
    context.createMediaStreamSource(stream).connect(collector);
    // Without a way out some browsers do not run it; what comes out is silence.
    collector.connect(context.destination);
  } catch (error) {
    await stop();
    throw error;
  }
  return { rate: context.sampleRate, stop };
}

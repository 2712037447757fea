// Audio worklet that passes the samples of the microphone to the page in chunks.
const CHUNK_SIZE = 1024;

class Collector extends AudioWorkletProcessor {
  constructor() {
    super();
    this.buffer = new Float32Array(CHUNK_SIZE);
    this.count = 0;
  }

  process([[samples]]) {
    if (!samples) return true;
    if (this.count + samples.length > CHUNK_SIZE) this.flush();
    this.buffer.set(samples, this.count);
    this.count += samples.length;
    return true;
  }

  flush() {
    this.port.postMessage(this.buffer.slice(0, this.count));
    this.count = 0;
  }
}

registerProcessor("collector", Collector);

// Audio worklet that passes the samples of the microphone to the page in chunks.
const AT_ONCE = 1024;

class Collector extends AudioWorkletProcessor {
  constructor() {
    super();
    this.gathered = new Float32Array(AT_ONCE);
    this.count = 0;
  }

  process([[samples]]) {
    if (!samples) return true;
    if (this.count + samples.length > AT_ONCE) this.hand();
    this.gathered.set(samples, this.count);
    this.count += samples.length;
    return true;
  }

  hand() {
    this.port.postMessage(this.gathered.slice(0, this.count));
    this.count = 0;
  }
}

registerProcessor("collector", Collector);

// Starts, shows and stops the synchronisation of saved lists with the account, on the page of saved lists.
import { isStorageAvailable } from "./saved-lists.js";
import { readSyncState, stop, sync } from "./list-sync.js";

export function init(section) {
  if (!isStorageAvailable()) return;
  const texts = section.dataset;
  const message = section.querySelector("[role=status]");
  const [start, here, everywhere] = ["start", "here", "everywhere"].map((name) => section.querySelector(`[data-${name}]`));
  const render = (text = "") => {
    const state = readSyncState();
    start.hidden = !texts.accountName || Boolean(state && state.owner === texts.accountName);
    here.hidden = !state;
    everywhere.hidden = !state || state.owner !== texts.accountName;
    section.querySelector("[data-sign-in]").hidden = Boolean(texts.accountName);
    message.textContent = text || describeState(state, texts);
  };
  const run = async (job, describe) => {
    for (const button of [start, here, everywhere]) button.disabled = true;
    try {
      render(describe(await job()));
    } catch {
      render(texts.offline);
    }
    for (const button of [start, here, everywhere]) button.disabled = false;
    if ([start, here, everywhere].every((button) => button !== document.activeElement)) message.focus();
  };
  start.addEventListener("click", () => run(() => sync({ start: true }), (result) => describeResult(result, texts)));
  here.addEventListener("click", () => run(() => stop({ everywhere: false }), () => texts.stopped));
  everywhere.addEventListener("click", () => run(() => stop({ everywhere: true }), () => texts.deleted));
  section.hidden = false;
  render();
  if (readSyncState()) sync().then((result) => render(describeResult(result, texts)), () => render(texts.offline));
}

const describeState = (state, { on: template, off }) => (state ? template.replace("{}", state.owner) : off);

function describeResult(result, texts) {
  if (result.state === "synced") return "";
  if (result.state === "full") return result.detail;
  return (texts[`is${result.state[0].toUpperCase()}${result.state.slice(1)}`] ?? "").replace("{}", result.owner ?? "");
}

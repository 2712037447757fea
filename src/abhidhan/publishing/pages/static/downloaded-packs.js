// Lists the dictionaries on this device in the settings.
import { isStorageAvailable, listPacks } from "./pack-store.js";

export async function init(element) {
  const packs = isStorageAvailable() ? (await listPacks()).filter(({ chunks }) => chunks.length) : [];
  const names = JSON.parse(document.querySelector("[data-languages]")?.dataset.languages || "{}");
  const languageName = ({ code, name }) => names[code] ?? name;
  if (packs.length) element.textContent = element.dataset.downloaded.replace("{}", packs.map(({ source, target }) => `${languageName(source)} → ${languageName(target)}`).join(", "));
}

/** The settings of a stack that are Landform's own: a name that nothing reads, or an empty value, would do nothing, without a word. */
import { nearest } from "../../provider/values/nearest.ts";
import { UsageError } from "../exit/codes.ts";

const PREFIX = "landform:";

const NAMES = [
  ...["baseUrl", "apiKey", "apiKeyEnv", "timeoutMs", "maxConcurrency", "requestsPerSecond"],
  ...["foreignEdits", "verify", "verifyWaitMs"],
  ...["previewBase", "previewSite", "previewProject"],
];

/** `project`: one that is called landform has this prefix for its program's settings. */
export function checkSetting(project: string, key: string, value: string): void {
  if (project === PREFIX.slice(0, -1) || !key.startsWith(PREFIX)) return;
  const name = key.slice(PREFIX.length);
  if (!NAMES.includes(name)) {
    const [best] = nearest(name, NAMES);
    const hint = best === undefined ? "" : ` Did you mean ${PREFIX}${best}?`;
    throw new UsageError(`nothing reads ${key}, and nothing was written.${hint} Known are ${NAMES.join(", ")}`);
  }
  if (value.trim() === "")
    throw new UsageError(
      `the value of ${key} is empty (a variable that is not set?), and nothing was written. npx landform config rm ${key} removes it`,
    );
}

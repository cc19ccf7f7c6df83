/** The camera of a stack: its browser, the addresses that it may open, and the elements that it leaves out. */
import { basename } from "node:path";
import { StackConfig } from "../../engine/index.ts";
import { PublicPages } from "../../provider/api/public-page.ts";
import { UsageError } from "../exit/codes.ts";
import { faultOfSelectors, openBrowser } from "../pictures/browser.ts";
import type { Camera } from "../pictures/pairs.ts";
import type { StackFolder } from "../project/open.ts";
import { configWith, settingsOf } from "../settings/settings.ts";

const HIDES = "landform:hideInPictures";

/** A selector that hides nothing would show as a difference of every page. */
export async function refuseBadSelectors(
  { config, project }: StackFolder,
  base?: { readonly name: string },
): Promise<void> {
  const hides = config.get(HIDES);
  if (hides === undefined) return;
  const fault = typeof hides === "string" ? await faultOfSelectors(hides, openBrowser) : "it is no text";
  if (fault === undefined) return;
  // The preview has its settings from its base.
  const { file } = base === undefined ? config : await StackConfig.read(project, base.name);
  throw new UsageError(
    `${basename(file)}: ${HIDES} takes CSS selectors, such as ".cookie-banner, #clock": ${fault}. Nothing was sent`,
  );
}

export async function cameraOf(folder: StackFolder): Promise<Camera> {
  const hides = folder.config.get(HIDES);
  const { baseUrl } = configWith(await settingsOf(folder));
  return { open: openBrowser, rules: new PublicPages(baseUrl), ...(typeof hides === "string" && { hides }) };
}

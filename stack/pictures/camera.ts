/** The camera of a stack: its browser, the addresses that it may open, and the elements that it leaves out. */
import { PublicPages } from "../../provider/api/public-page.ts";
import type { StackFolder } from "../project/open.ts";
import { configWith, settingsOf } from "../settings/settings.ts";
import { openBrowser } from "./browser.ts";
import type { Camera } from "./pairs.ts";

/** CSS selectors of the elements that a picture leaves out. */
export const HIDES = "landform:hideInPictures";

export async function cameraOf(folder: StackFolder): Promise<Camera> {
  const hides = folder.config.get(HIDES);
  const { baseUrl } = configWith(await settingsOf(folder));
  return { open: openBrowser, rules: new PublicPages(baseUrl), ...(typeof hides === "string" && { hides }) };
}

/** Takes the pictures of a preview's changed pages, with the settings of its base. */
import { basename } from "node:path";
import { StackConfig } from "../../engine/index.ts";
import { PublicPages } from "../../provider/api/public-page.ts";
import { urnInStack } from "../../provider/preview/facts.ts";
import { UsageError } from "../exit/codes.ts";
import { faultOfSelectors, openBrowser } from "../pictures/browser.ts";
import { type PicturedPage, picturesOf } from "../pictures/pairs.ts";
import type { StackFolder } from "../project/open.ts";
import type { Pictures } from "../report/model.ts";
import type { StackSession } from "../run/session.ts";
import { configWith, settingsOf } from "../settings/settings.ts";
import type { ReadStack } from "./base.ts";
import type { EnvironmentUp } from "./types.ts";

/** CSS selectors of the elements that a picture leaves out. */
const HIDES = "landform:hideInPictures";

/** A selector that hides nothing would show as a difference of every page. */
export async function refuseBadSelectors(
  { config, project }: StackFolder,
  base: Pick<ReadStack, "name"> | undefined,
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

/** Returns the work that takes the pictures of the pages that are public now. */
export async function photographer(
  { folder }: StackSession,
  { pages }: EnvironmentUp,
  base: ReadStack | undefined,
): Promise<() => Promise<Pictures>> {
  const names = new Map((base?.resources ?? []).map(({ urn, inputs }) => [urnInStack(urn), inputs?.["name"]]));
  const changed = pages.filter((one) => one.changed === true);
  const shown = changed.flatMap(({ id, editUrl, url, changed: _, ...one }): PicturedPage[] => {
    const title = names.get(urnInStack(one.urn));
    return url === undefined ? [] : [{ ...one, url, ...(typeof title === "string" && { title }) }];
  });
  const hides = folder.config.get(HIDES);
  const { baseUrl } = configWith(await settingsOf(folder));
  const camera = { open: openBrowser, rules: new PublicPages(baseUrl), ...(typeof hides === "string" && { hides }) };
  const unchanged = pages.length - changed.length;
  return async () => ({ unchanged, ...(await picturesOf(shown, camera)) });
}

/** Takes the pictures of a preview's changed pages, with the settings of its base. */
import { urnInStack } from "../../provider/preview/facts.ts";
import { type PicturedPage, picturesOf } from "../pictures/pairs.ts";
import type { Pictures } from "../report/shown.ts";
import { cameraOf } from "../run/camera.ts";
import type { StackSession } from "../run/session.ts";
import type { ReadStack } from "./base.ts";
import type { EnvironmentUp } from "./types.ts";

/** Returns the work that takes the pictures of the pages that are public now. */
export async function photographer(
  { folder }: StackSession,
  { pages, staying = 0 }: EnvironmentUp,
  base: ReadStack | undefined,
): Promise<() => Promise<Pictures>> {
  const names = new Map((base?.resources ?? []).map(({ urn, inputs }) => [urnInStack(urn), inputs?.["name"]]));
  const changed = pages.filter((one) => one.changed === true);
  const shown = changed.flatMap(({ id, editUrl, url, changed: _, ...one }): PicturedPage[] => {
    const title = names.get(urnInStack(one.urn));
    return url === undefined ? [] : [{ ...one, url, ...(typeof title === "string" && { title }) }];
  });
  const camera = await cameraOf(folder);
  const unchanged = pages.length - changed.length + staying;
  return async () => ({ unchanged, ...(await picturesOf(shown, camera)) });
}

/** Takes the pictures of a preview's changed pages, with the settings of its base. */
import { type PicturedPage, picturesOf } from "../pictures/pairs.ts";
import type { Pictures } from "../report/shown.ts";
import { cameraOf } from "../run/camera.ts";
import type { StackSession } from "../run/session.ts";
import type { EnvironmentUp } from "./types.ts";

export async function photographer(
  { folder }: StackSession,
  { environment, pages, staying = 0 }: EnvironmentUp,
): Promise<() => Promise<Pictures>> {
  const changed = pages.filter((one) => one.changed === true);
  const shown = changed.flatMap(({ id, editUrl, url, changed: _, ...one }): PicturedPage[] =>
    url === undefined ? [] : [{ ...one, url }],
  );
  const camera = await cameraOf(folder);
  const unchanged = pages.length - changed.length + staying;
  return async () => {
    const found = await picturesOf(shown, camera);
    const isCompared = found.taken.some(({ kind }) => kind === "changed");
    return { unchanged, ...found, ...(isCompared && environment?.seed !== true && { fromCode: true }) };
  };
}

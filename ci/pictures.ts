/** Gives the pictures of a preview to the code host, whose comment shows them: one of each changed page. A failure of these fails no run. */
import { createHash } from "node:crypto";
import { reasonOf } from "../provider/values/wording.ts";
import { wantsPictures } from "../stack/pictures/browser.ts";
import { mostChanged, sideBySide } from "../stack/pictures/side-by-side.ts";
import type { Pictures } from "../stack/report/shown.ts";
import type { ShownPictures } from "../story/environment.ts";
import { printError } from "../story/print.ts";
import type { Forge, PictureFile } from "./forge/forge.ts";
import { ForgeError, wayOut } from "./forge/http.ts";

/** More pictures than these are no glance. */
const MOST = 12;

interface Preview {
  readonly name: string;
  readonly project: string;
}

export async function keepPictures(
  forge: Forge,
  preview: Preview,
  { taken, alike, missing, fromCode }: Pictures,
): Promise<ShownPictures> {
  const pages = [...Map.groupBy(taken, ({ urn }) => urn).values()];
  const found = pages.flatMap((screens) => mostChanged(screens) ?? screens[0] ?? []);
  const pictured = found.filter(({ after }) => after !== undefined);
  const kept = pictured.slice(0, MOST);
  const looks = {
    alike,
    ...(missing !== undefined && { missing }),
    ...(fromCode && { fromCode }),
    others: pictured.length - kept.length,
  };
  const told = (urls: readonly string[]): ShownPictures["shown"] =>
    found.map(({ before, after, ...picture }) => ({
      picture,
      url: urls[kept.findIndex(({ urn }) => urn === picture.urn)],
    }));
  try {
    return { ...looks, shown: told(await put(forge, preview, kept.map(fileOf))) };
  } catch (error) {
    const way = error instanceof ForgeError ? `. ${wayOut(error, forge.kind, NEEDED[forge.kind])}` : "";
    return { ...looks, shown: told([]), unkept: `${reasonOf(error)}${way}` };
  }
}

const NEEDED: Readonly<Record<Forge["kind"], string>> = {
  github: "the job needs the permission contents: write",
  gitlab: "use a project access token that has the scope api and has not expired",
};

/** The note of a preview that is gone shows nothing. */
export async function dropPictures(forge: Forge, preview: Preview): Promise<void> {
  try {
    await put(forge, preview, []);
  } catch (error) {
    printError(`note: the pictures of ${preview.name} could not be deleted: ${reasonOf(error)}`);
  }
}

async function put(
  forge: Forge,
  { name, project }: Preview,
  files: readonly PictureFile[],
): Promise<readonly string[]> {
  const { urls, unswept } = await forge.keepPictures(`${name}.${signs(project)}`, files, new Date());
  // A project that never wanted pictures has none to lose.
  if (unswept !== undefined && (await wantsPictures()))
    printError(`note: earlier pictures of ${name} stay on the code host: ${unswept}`);
  return urls;
}

function fileOf(picture: Pictures["taken"][number]): PictureFile {
  const png = sideBySide(picture);
  const digest = createHash("sha256").update(png).digest("hex").slice(0, 12);
  return { name: `${signs(picture.name)}-${picture.screen}-${digest}.png`, png };
}

/** Browsers and code hosts agree on these. */
function signs(text: string): string {
  return text.replace(/[^\w.-]/g, "_");
}

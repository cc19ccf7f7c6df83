/**
 * Plans as artifacts of the job that makes them: `ci plan` writes them into a folder, which the workflow uploads, and
 * `ci apply` gets them from the code host. `artifact:FOLDER` names the folder.
 */
import { PlaceError } from "../stack/places/place.ts";
import { openPlace } from "../stack/places/open.ts";
import { UsageError } from "../stack/exit/codes.ts";
import type { Forge, PlannedChange } from "./forge/forge.ts";
import { ForgeError } from "./forge/http.ts";
import { wayOut } from "./forge/token.ts";
import type { PlansPlace } from "./stored-plans.ts";

const SCHEME = "artifact:";

/** Undefined where the text names another place. */
export async function artifactFolder(text: string, base: string): Promise<PlansPlace | undefined> {
  if (!text.startsWith(SCHEME)) return undefined;
  return openPlace(folderIn(text), base);
}

/** `project`: its folder in the repository. Undefined where the text names another place. */
export function artifactsOf(
  text: string,
  project: string,
  forgeOf: () => Forge | undefined,
  of: PlannedChange,
): PlansPlace | undefined {
  if (!text.startsWith(SCHEME)) return undefined;
  const name = `the artifacts of the job that planned ${of.head.slice(0, 12)}`;
  const forge = forgeOf();
  if (forge === undefined)
    throw new UsageError(`${name} are known to the code host alone, and it can't be asked here: set its token`);
  const folder = [project, folderIn(text)].filter(Boolean).join("/");
  return {
    name,
    get: async (key) => {
      try {
        return await forge.artifact(of, folder, key);
      } catch (error) {
        if (!(error instanceof ForgeError)) throw error;
        throw new PlaceError(
          `${name} could not be asked: ${error.message}. Nothing was sent. ${wayOut(error, forge.kind)}`,
          {
            cause: error,
          },
        );
      }
    },
    put: () => Promise.reject(new TypeError("an apply keeps no plan")),
  };
}

function folderIn(text: string): string {
  const folder = text.slice(SCHEME.length).replace(/^\.\/|\/+$/g, "");
  if (/^[\w.-]+(\/[\w.-]+)*$/.test(folder) && !folder.startsWith(".")) return folder;
  throw new UsageError(`${text} names no folder: write artifact:plans, and let the workflow upload that folder`);
}

/**
 * Finds the place of a stack's history: the place that `landform:history` names; else beside the state, in its folder or its bucket; else,
 * if nothing can be put beside the state, on the machine that ran.
 */
import { join } from "node:path";
import { digest, stackOf } from "../../provider/ledger/identity.ts";
import { ledgerFolderOf, ledgerFolderOfMachine } from "../../provider/ledger/place.ts";
import { openBackend, stateHome, type StateHome } from "../engines/place.ts";
import { findPulumi, isAtLeast, OLDEST } from "../engines/pulumi/cli.ts";
import type { Engine } from "../engines/contract.ts";
import { UsageError } from "../exit/codes.ts";
import type { EngineChoice } from "../options.ts";
import { openPlace } from "../places/open.ts";
import type { Place } from "../places/place.ts";
import type { StackFolder } from "../project/open.ts";
import { History } from "./history.ts";
import { RunStore } from "./store.ts";

const HISTORY_VARIABLE = "LANDFORM_HISTORY";

/** The folder of the history beside a state in a folder. */
export function historyFolder(root: string, project: string, stack: string): string {
  return join(ledgerFolderOf(root), "history", stackOf(project, stack));
}

/** Opens the history for commands that run no engine. */
export async function openHistory(choice: EngineChoice, folder: StackFolder): Promise<History> {
  const found = choice === "embedded" ? undefined : await findPulumi();
  const isPulumi = found !== undefined && isAtLeast(found.version, OLDEST);
  return historyAt(isPulumi ? await stateHome(folder) : { url: "", files: await openBackend(folder) }, folder);
}

export async function historyOf(
  { stateFolder }: Pick<Engine, "stateFolder">,
  folder: StackFolder,
  tell?: (line: string) => void,
): Promise<History> {
  if (stateFolder !== undefined) return historyAt({ url: "", files: { root: stateFolder } }, folder, tell);
  return historyAt({ url: (await stateHome(folder)).url }, folder, tell);
}

interface Home extends Pick<StateHome, "url"> {
  readonly files?: { readonly root: string };
}

async function historyAt({ url, files }: Home, folder: StackFolder, tell: (line: string) => void = () => undefined) {
  const own = stackOf(folder.project.name, folder.stack);
  const said = process.env[HISTORY_VARIABLE] || folder.config.get("landform:history");
  if (said === undefined && files !== undefined) {
    const store = new RunStore(historyFolder(files.root, folder.project.name, folder.stack));
    return new History(store, undefined, own, tell);
  }
  const place = said === undefined ? await besideState(url, tell) : await openPlace(textOf(said), folder.root);
  // Stacks of the same name in another place are other stacks.
  const name = `${own}-${digest(place?.name ?? withoutPassword(url), 8)}`;
  return new History(new RunStore(join(ledgerFolderOfMachine(process.env), "history", name)), place, own, tell);
}

function textOf(said: unknown): string {
  if (typeof said === "string") return said;
  throw new UsageError("landform:history names no place: a folder, or a bucket as s3://BUCKET/PREFIX");
}

/** A bucket that Pulumi can open and Landform can't doesn't stop the run. */
async function besideState(url: string, tell: (line: string) => void): Promise<Place | undefined> {
  if (!url.startsWith("s3://")) return undefined;
  const inside = new URL(url);
  inside.pathname = `${inside.pathname.replace(/\/+$/, "")}/.pulumi/landform/history`;
  try {
    return await openPlace(inside.href);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tell(`the history of this run stays on this machine: ${error.message}`);
    return undefined;
  }
}

function withoutPassword(url: string): string {
  const { protocol = "", host = "", pathname = "", search = "" } = URL.parse(url) ?? {};
  return `${protocol}//${host}${pathname}${search}`;
}

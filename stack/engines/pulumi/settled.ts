/**
 * What a killed run was creating, and the state holds by now. Pulumi keeps such a note until somebody refreshes, each run would
 * look into it again, and tell of it. Importing a state drops its notes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredDeployment } from "../../../engine/index.ts";
import type { PulumiCli } from "./command.ts";

/** Whether nothing else is noted. */
function areSettled({ resources = [], pending_operations: pending = [] }: StoredDeployment): boolean {
  const standing = new Set(resources.flatMap(({ urn, id, delete: goes }) => (id !== undefined && !goes ? [urn] : [])));
  return pending.length > 0 && pending.every(({ type, resource }) => type === "creating" && standing.has(resource.urn));
}

/** As `pulumi refresh --clear-pending-creates` does it, without the refresh. In words, why it could not be. */
export async function clearSettled(
  cli: PulumiCli,
  stack: string,
  stored: () => Promise<StoredDeployment | undefined>,
): Promise<string | undefined> {
  const file = join(cli.scratch, "settled.json");
  try {
    const state = await stored();
    if (state === undefined || !areSettled(state)) return undefined;
    writeFileSync(file, await cli.ask("stack", "export", "--stack", stack), { mode: 0o600 });
    await cli.ask("stack", "import", "--stack", stack, "--file", file);
    return undefined;
  } catch (error) {
    return `what Pulumi notes of an interrupted run could not be cleared: ${error instanceof Error ? error.message : String(error)}`;
  }
}

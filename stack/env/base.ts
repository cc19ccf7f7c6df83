/** Which stack an environment is a preview of, and what of its state a preview has to know. Read, and never written. */
import { holdsAny, type StoredResource } from "../../provider/preview/base.ts";
import { isEnvironmentName } from "../../provider/preview/names.ts";
import { UsageError } from "../exit/codes.ts";
import type { Stacks } from "../stacks/types.ts";
import { recordIn, type EnvironmentRecord } from "./record.ts";
import { recordedAccounts } from "../engines/recorded.ts";
import { whyNotOf } from "../checks/preflight.ts";
import { settingsOf } from "../project/settings.ts";
import type { StackSession } from "../run/session.ts";

/** A stack as it stands in its state, secrets encrypted. */
export interface ReadStack {
  readonly name: string;
  readonly resources: readonly StoredResource[];
  /** Of a preview. */
  readonly environment: EnvironmentRecord | undefined;
}

export async function readStack(stacks: Stacks, name: string): Promise<ReadStack> {
  const { deployment } = await stacks.export(name, { showSecrets: false });
  const resources: readonly StoredResource[] = deployment.resources ?? [];
  return { name, resources, environment: recordIn(resources) };
}

export interface Wanted {
  /** The environment's own name. */
  readonly environment: string;
  /** What the user says. */
  readonly base: string | undefined;
  /** What the environment was made with. */
  readonly recorded: string | undefined;
  /** Both were named, so that no base is needed. */
  readonly needsNone: boolean;
}

/** Undefined where none is needed and none is there. */
export async function findBase(
  stacks: Stacks,
  names: readonly string[],
  { environment, base, recorded, needsNone }: Wanted,
): Promise<ReadStack | undefined> {
  if (base !== undefined && !names.includes(base))
    throw new UsageError(`--base ${base}: there is no such stack. ${listed(names)}`);
  if (base === undefined && recorded !== undefined && !names.includes(recorded)) {
    if (needsNone) return undefined;
    throw new UsageError(
      `${environment} is a preview of ${recorded}, and that stack is not there any more. ${listed(names)} Name another one ` +
        `with --base; npx landform env down ${environment} takes the preview away`,
    );
  }
  const known = base ?? recorded;
  if (known !== undefined) return baseIn(await readStack(stacks, known));
  const candidates: ReadStack[] = [];
  for (const name of names.filter((one) => one !== environment && !isEnvironmentName(one))) {
    const stack = await readStack(stacks, name);
    // One that was only looked at, by preview or lint, has nothing to be a copy of.
    if (stack.environment === undefined && holdsAny(stack.resources)) candidates.push(stack);
  }
  const [only, second] = candidates;
  if (only !== undefined && second === undefined) return only;
  if (needsNone) return undefined;
  if (only === undefined)
    throw new UsageError(
      "a preview needs a base: a stack of this project whose projects and site it uses, and there is none. Apply the " +
        "program once (npx landform up), or say what to use instead, with --project ID and --site NAME",
    );
  throw new UsageError(
    `a preview needs to know its base, and this project has several stacks: ${candidates.map(({ name }) => name).join(", ")}. Name one with --base`,
  );
}

/** What a preview is a copy of stays when the preview goes. */
function baseIn(stack: ReadStack): ReadStack {
  if (stack.environment === undefined) return stack;
  throw new UsageError(
    `${stack.name} is a preview environment itself, which goes when its branch does. Name the stack that it is a preview of with --base`,
  );
}

function listed(names: readonly string[]): string {
  const others = names.filter((name) => !isEnvironmentName(name));
  return others.length === 0 ? "This project has none yet." : `This project has ${others.join(", ")}.`;
}

export async function refuseOtherAccount({ folder }: StackSession, { name, resources }: ReadStack): Promise<void> {
  const own = recordedAccounts({ resources }).find(({ apiKeyEnv }) => apiKeyEnv === undefined);
  const why = own && (await whyNotOf(own.account, await settingsOf(folder)));
  if (why === undefined) return;
  throw new UsageError(
    `${why} (It is asked of ${name}, whose projects and sites the preview uses; --site and --project name others.)`,
  );
}

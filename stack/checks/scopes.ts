/** Whether the key has the scopes that a plan needs. Reads prove those for reading; the rest is asked about nothing. */
import { isProvenByReading, type LandformApi } from "../../provider/api/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Change } from "../report/model.ts";

export interface Asked {
  refused: string[];
  unproven: string[];
}

/** By reads alone: what is for writing stays unproven. */
export async function askByReading(api: LandformApi, scopes: readonly string[]): Promise<Asked> {
  const writing = forWriting(scopes);
  const reading = scopes.filter((scope) => !writing.includes(scope));
  const { refused, unproven } = await ask(api, reading);
  return { refused, unproven: scopes.filter((scope) => writing.includes(scope) || unproven.includes(scope)) };
}

/** Those that no read can prove. */
export function forWriting(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !isProvenByReading(alternatives(scope)));
}

/** By calls about objects that cannot exist, which change nothing whatever the answer is. */
export async function ask(api: LandformApi, scopes: readonly string[]): Promise<Asked> {
  const answers = await Promise.all(
    scopes.map(async (scope) => ({ scope, answer: await api.permission(alternatives(scope)) })),
  );
  const those = (wanted: string) => answers.flatMap(({ scope, answer }) => (answer === wanted ? [scope] : []));
  return { refused: those("refused"), unproven: those("unproven") };
}

/** Whether the plan makes something that the API can't delete: a run that stops behind it leaves that in the account. */
export function makesWhatStays(changes: readonly Change[]): boolean {
  return changes.some(
    ({ op, type }) => (op === "create" || op === "replace") && definitionOf(type)?.leaves !== undefined,
  );
}

export function lacking(refused: readonly string[], keyVariable: string): string {
  const scopes = refused.length === 1 ? `the scope ${refused.join()}` : `the scopes ${refused.join(", ")}`;
  return `the key lacks ${scopes}: the service answers 403 where they are needed. Nothing was made. Create a key that has ${refused.length === 1 ? "it" : "them"} (its IP list, if it has one, must allow this machine's address) and set ${keyVariable}`;
}

function alternatives(scope: string): string[] {
  return scope.split(" or ");
}

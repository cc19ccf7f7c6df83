/** The writes and deletions of a kind's calls, through the account. The state learns settled values, and the run tells what nobody can confirm. */
import type { Removal } from "../account/removal.ts";
import { unmovedIn } from "../account/spelling.ts";
import type { Apply } from "../definition/define.ts";
import { type JsonMap, mapBy } from "../values/json.ts";
import type { RunContext } from "./run-context.ts";

interface Written {
  /** The call as messages name it, such as `PATCH /products`. */
  readonly call: string;
  /** The sent values, by input. */
  readonly sent: JsonMap;
  readonly send: () => Promise<JsonMap>;
  /** Reads the object by its id. */
  readonly read: () => Promise<JsonMap>;
}

export async function write<Inputs>(
  { run, id, object }: Pick<Apply<Inputs>, "run" | "id" | "object">,
  { call, sent, send, read }: Written,
): Promise<void> {
  const answer = await send();
  const unmoved = (shown: JsonMap) => unmovedIn(object, shown, sent);
  object.learn({ ...answer, ...(await run.account.settled(answer, { id, call, again: read, unmoved })) });
}

export async function remove(run: RunContext, removal: Removal): Promise<void> {
  const { kind, id, call } = removal;
  const unconfirmed = await run.account.remove(removal);
  if (unconfirmed === undefined) return;
  const text =
    `It could not be confirmed that ${kind} ${id} is gone (${call}: ${unconfirmed}). ` +
    `It is no longer managed; look in the app whether it is still there.`;
  run.warn({ code: "of-kind", kind, id, topic: "delete-not-confirmed", text });
}

/** Returns the inputs that were sent, by name. */
export function fieldsOf(now: object, fields: Iterable<string>): JsonMap {
  return mapBy(fields, (field) => (now as JsonMap)[field]);
}

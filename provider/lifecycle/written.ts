/** What a write was answered is learned; one that shows the record as it was before is looked into first: it may lag behind. */
import type { Apply } from "../define.ts";
import type { Json, JsonMap } from "../json.ts";
import { ApplyError } from "./errors.ts";
import { patientLook } from "./patience.ts";
import { unmovedIn } from "./unmoved.ts";

export interface Written {
  /** As messages name it, such as `PATCH /products`. */
  readonly call: string;
  /** By input. */
  readonly sent: JsonMap;
  readonly answer: JsonMap;
  /** By its id. */
  readonly read: () => Promise<JsonMap>;
}

export async function learnWritten<Inputs>(
  { run, id, object }: Pick<Apply<Inputs>, "run" | "id" | "object">,
  { call, sent, answer, read }: Written,
): Promise<void> {
  let unmoved = unmovedIn(object, answer, sent);
  if (unmoved.length === 0) {
    object.learn(answer);
    return;
  }
  const later = await patientLook(async () => {
    const record = await read();
    unmoved = unmovedIn(object, record, sent);
    return unmoved.length === 0 ? record : undefined;
  }, run.settings.patienceMs);
  if (later === undefined)
    throw new ApplyError(
      `${call} was answered with success, and ${id} is as it was before: ${unmoved.join(", ")}. ` +
        `Nothing of that counts as done. Run again; if it stays so, the service doesn't take this value.`,
    );
  object.learn({ ...answer, ...later });
}

/** What of the inputs was sent, by input. */
export function fieldsOf(now: object, fields: ReadonlySet<string>): JsonMap {
  const all = Object.entries(now) as [string, Json | undefined][];
  return Object.fromEntries(
    all.flatMap(([field, value]) => (fields.has(field) && value !== undefined ? [[field, value]] : [])),
  );
}

/** What a write was answered is learned; one that shows the record as it was before is looked into first: it may lag behind. */
import type { Apply } from "../definition/define.ts";
import type { Json, JsonMap } from "../values/json.ts";
import { ApplyError } from "../messages/errors.ts";
import { patientLook } from "../account/patience.ts";
import { unmovedIn } from "../account/spelling.ts";

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
  const unmoved = (shown: JsonMap) => unmovedIn(object, shown, sent);
  const shown = await onceMoved({ run, id }, { call, answer, again: read, unmoved });
  object.learn({ ...answer, ...shown });
}

export interface Doubted<Answer> {
  readonly call: string;
  readonly answer: Answer;
  /** Reads it by its id; of what no read shows, the same write tells. */
  readonly again: () => Promise<Answer>;
  /** The inputs that an answer shows as they were before. */
  readonly unmoved: (answer: Answer) => readonly string[];
}

/** The answer that shows what was written. Fails by name where there is none. */
export async function onceMoved<Answer>(
  { run, id }: Pick<Apply<unknown>, "run" | "id">,
  { call, answer, again, unmoved }: Doubted<Answer>,
): Promise<Answer> {
  let fields = unmoved(answer);
  if (fields.length === 0) return answer;
  const later = await patientLook(async () => {
    const shown = await again();
    fields = unmoved(shown);
    return fields.length === 0 ? shown : undefined;
  }, run.settings.patienceMs);
  if (later !== undefined) return later;
  throw new ApplyError(
    `${call} was answered with success, and ${id} is as it was before: ${fields.join(", ")}. ` +
      `Nothing of that counts as done. Run again; if it stays so, the service doesn't take this value.`,
  );
}

/** What of the inputs was sent, by input. */
export function fieldsOf(now: object, fields: ReadonlySet<string>): JsonMap {
  const all = Object.entries(now) as [string, Json | undefined][];
  return Object.fromEntries(
    all.flatMap(([field, value]) => (fields.has(field) && value !== undefined ? [[field, value]] : [])),
  );
}

/**
 * A text that shows neither what was sent nor what stood there before: somebody has edited it since, or the service spells it so.
 * Learned, an edit would pass for ours, and no look would ever find it. So it is sent once more: what shows as it did is the
 * service's spelling, and all else is as declared again, which is told.
 */
import type { Apply } from "../../definition/define.ts";
import { mapOf, same, type JsonMap } from "../../values/json.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { mayComeOf } from "../../account/spelling.ts";
import { valuesNow } from "./kept-values.ts";
import { fieldsMove, fieldsNow, type PageFields } from "./page-fields.ts";
import { render } from "./variables.ts";

type Pass = Pick<
  Apply<{ readonly content?: JsonMap; readonly variables?: JsonMap }>,
  "run" | "id" | "now" | "object" | "created"
>;

/** What this pass has sent, by the state of the object, of which every pass has one of its own. */
const sentBy = new WeakMap<ObjectState, Set<string>>();

export function noteSent(object: ObjectState, keys: readonly string[]): void {
  sentBy.set(object, new Set([...(sentBy.get(object) ?? []), ...keys]));
}

/** The fields as they are once the texts that were sent are ours. `published`: what is shown went to visitors. */
export async function onceOurs(pass: Pass, shown: PageFields, published = false): Promise<PageFields> {
  const { run, id, object } = pass;
  const strange = strangeTexts(pass, shown);
  const keys = Object.keys(strange);
  if (keys.length === 0) return shown;
  await run.api.pages.updateContent({ page_id: id, updates: strange });
  if (published) await publishAgain(pass);
  fieldsMove(object);
  const again = await fieldsNow(pass);
  const edited = keys.filter((key) => !same(again.fields.value(key) ?? null, shown.fields.value(key) ?? null));
  // Of a page that is made in this pass nobody knows yet: the look was behind, and showed the template's text.
  if (edited.length > 0 && !pass.created) tell(pass, edited);
  return again;
}

/** By key, as they were sent. */
export function strangeTexts({ now, object }: Pick<Pass, "now" | "object">, { fields }: PageFields): JsonMap {
  const before = mapOf(object.before.answer["content"]);
  const values = valuesNow(object, now.variables);
  const strange = [...(sentBy.get(object) ?? [])].flatMap((key): [string, JsonMap[string]][] => {
    const [wanted, shown] = [now.content?.[key], fields.value(key)];
    if (wanted === undefined || shown === undefined || same(shown, before[key] ?? null)) return [];
    const text = render(wanted, values);
    return mayComeOf(text, shown) ? [] : [[key, text]];
  });
  return Object.fromEntries(strange);
}

async function publishAgain({ run, id, object }: Pass): Promise<void> {
  const { siteId, slug } = object.answer;
  if (typeof siteId !== "string" || typeof slug !== "string") return;
  await run.inTurn(id, () => run.api.pages.publish({ page_id: id, site_id: siteId, slug }));
}

function tell({ run, id }: Pass, keys: readonly string[]): void {
  const text =
    `content: somebody edited ${keys.join(", ")} of page ${id} while this run wrote it. ` +
    `It is as declared again; to keep the edit, take its text into the code.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "edited-meanwhile", text });
}

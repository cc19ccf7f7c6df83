/**
 * A write of texts that is answered with success may have done nothing: then the content map shows a text as it was before, which would
 * pass for how the service spells the new one, and no later look would find the difference.
 */
import type { Apply } from "../../definition/define.ts";
import { mapOf, type Json, type JsonMap } from "../../values/json.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { isAsWritten } from "../../account/spelling.ts";
import { onceMoved } from "../../reconcile/written.ts";
import type { ContentFields } from "../../account/content-map.ts";
import { valuesNow, valuesThen } from "./kept-values.ts";
import { fieldsMove, fieldsNow, type PageFields } from "./page-fields.ts";
import { render } from "./variables.ts";

type Pass = Pick<Apply<{ readonly content?: JsonMap; readonly variables?: JsonMap }>, "run" | "id" | "now" | "object">;

/** The fields as they are once the texts that were sent are among them. Those that stay as they were count as never sent. */
export async function onceTextsMoved(pass: Pass, sent: readonly string[], shown: PageFields): Promise<PageFields> {
  const { object } = pass;
  let unmoved: string[] = [];
  try {
    return await onceMoved(pass, {
      call: "PATCH /pages/content",
      answer: shown,
      again: () => {
        fieldsMove(object);
        return fieldsNow(pass);
      },
      unmoved: ({ fields }) => {
        unmoved = unmovedTexts(pass, sent, fields);
        return unmoved.map((key) => `content.${key}`);
      },
    });
  } catch (error) {
    countAsUnsent(object, unmoved);
    throw error;
  }
}

function unmovedTexts({ now, object }: Pass, sent: readonly string[], fields: ContentFields): string[] {
  const { before } = object;
  const [then, wanted] = [mapOf(before.declared.get("content")), now.content ?? {}];
  const [valuesBefore, values] = [valuesThen(before), valuesNow(object, now.variables)];
  return sent.filter((key) => {
    const [text, former] = [wanted[key], then[key]];
    if (text === undefined || former === undefined) return false;
    return isAsWritten(render(former, valuesBefore), render(text, values), fields.value(key));
  });
}

/** The next pass sends these texts again. */
export function countAsUnsent(object: ObjectState, keys: readonly string[]): void {
  const then = mapOf(object.before.declared.get("content"));
  const others = Object.entries(mapOf(object.declared.get("content"))).filter(([key]) => !keys.includes(key));
  const kept = keys.flatMap((key): [string, Json][] => (then[key] === undefined ? [] : [[key, then[key]]]));
  object.declare("content", Object.fromEntries([...others, ...kept]));
}

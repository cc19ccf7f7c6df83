/**
 * Which inputs of a page an answer shows as they were before this pass, though others were sent. Tags, label and delay are shown by
 * answers to writes alone: what was declared before stands for how they were. Pure.
 */
import type { PageDelay, PageMetadata } from "../../api/records.ts";
import { camelKeys, isMap, type Json, type JsonMap, same } from "../../values/json.ts";
import { essence, isAsWritten, mayComeOf, unmovedIn } from "../../account/spelling.ts";
import { fieldsOf } from "../../reconcile/settled.ts";
import type { PagePass } from "./declared.ts";
import type { Then } from "./writes.ts";
import { normalSlug } from "./place.ts";

type Pass = Pick<PagePass, "now" | "changed">;

/** Of what every read shows. `due`: what was sent. */
export function shownUnmoved({ now }: Pass, then: Then, due: readonly string[]): (answer: JsonMap) => string[] {
  const sent = fieldsOf(now, new Set(due.filter((field) => field === "name" || field === "projectId")));
  return (answer) => unmovedIn(then, answer, sent);
}

export function hiddenUnmoved({ now }: Pass, then: Then, due: readonly string[]): (answer: PageMetadata) => string[] {
  const { tags, productLabel } = fieldsOf(now, new Set(due));
  const isUnmoved = (field: string, sent: Json | undefined, shown: Json | undefined): boolean =>
    sent !== undefined && isAsWritten(then.declared.get(field), sent, shown);
  return (answer) => [
    ...(isUnmoved("tags", tags, answer.tags) ? ["tags"] : []),
    ...(isUnmoved("productLabel", productLabel, answer.product_label ?? undefined) ? ["productLabel"] : []),
  ];
}

/** Some settings depend on others: as it was before is a delay of which none has moved. */
export function delayUnmoved({ now }: Pass, { declared }: Then): (answer: PageDelay) => string[] {
  const then = declared.get("delay");
  return (answer) => {
    const shown = camelKeys(answer.delay ?? {});
    const sent = Object.entries((now.delay ?? {}) as JsonMap).filter(([key]) => key in shown);
    const changed = sent.filter(([key, value]) => isMap(then) && key in then && !same(then[key], value));
    const isAsBefore = ([key, value]: [string, Json]): boolean =>
      isMap(then) && same(then[key], shown[key]) && !mayComeOf(value, shown[key]);
    return changed.length > 0 && changed.every(isAsBefore) ? ["delay"] : [];
  };
}

/** Of a publication that was to move the page. */
export function slugUnmoved({ now, changed }: Pass, { answer, declared }: Then): (slug: string | null) => string[] {
  const { slug: was, status } = answer;
  const then = declared.get("publish");
  const wanted = now.publish?.slug ?? "";
  const mayBeOf = (shown: string): boolean => {
    if (status !== "published") return mayComeOf(wanted, shown);
    const former = isMap(then) ? (then["slug"] ?? "") : undefined;
    const isItsOwn = typeof former === "string" && essence(former) !== essence(shown);
    return isItsOwn || !PLAIN.test(wanted) || essence(wanted) === essence(shown);
  };
  return (shown) => {
    if (!changed.has("publish") || shown === null || typeof was !== "string") return [];
    return normalSlug(shown) === normalSlug(was) && !mayBeOf(shown) ? ["publish.slug"] : [];
  };
}

/** Services have their own ways to spell other letters in a path. */
const PLAIN = /^[\w./~-]*$/;

/** Name, project, tags, label and delay of a page. */
import type { PageMetadataInput } from "../../api/index.ts";
import { essence, isAsWritten, mayComeOf, unmovedIn } from "../../account/spelling.ts";
import type { PageDelay, PageMetadata } from "../../api/records.ts";
import { type FieldOf, wireInputs } from "../fields.ts";
import { after, type PagePass, type Reached, type Step, written } from "./document.ts";
import type { Guarded } from "./guard.ts";
import { normalSlug } from "./place.ts";
import type { Then } from "./writes.ts";
import { fieldsOf, onceMoved } from "../../reconcile/written.ts";
import { camelKeys, isMap, type Json, type JsonMap, same, snake } from "../../values/json.ts";

export const METADATA = [
  "name",
  "projectId",
  "tags",
  "productLabel",
] as const satisfies readonly FieldOf<PageMetadataInput>[];

const CALL = "PATCH /pages/metadata";

/** All of it; at a creation, the name comes last: until then it has the marker. */
export async function* applyMetadata(at: Reached, { writes }: Guarded): Step {
  return yield* sendMetadata(at, writes.then, at.created ? METADATA.filter((field) => field !== "name") : METADATA);
}

export async function* rename(at: Reached, { writes }: Guarded): Step {
  return at.created ? yield* sendMetadata(at, writes.then, ["name"]) : at;
}

async function* sendMetadata(at: Reached, then: Then, fields: readonly (typeof METADATA)[number][]): Step {
  const { run, id, now, changed, created } = at;
  const due = fields.filter((field) => changed.has(field));
  const metadata = wireInputs(now, due);
  if (Object.keys(metadata).length === 0) return at;
  const write = () => run.api.pages.updateMetadata({ page_id: id, ...metadata });
  const result = await write();
  // The rename that ends a creation moves none of the draft: what had copied the name was cleaned before.
  const sent = created ? after(at, (object) => (object.wrote = true)) : written(at);
  yield sent;
  const { pageName, projectId } = await believed(sent, then, due, result, write);
  return after(sent, (object) => {
    for (const field of due) object.declare(field, now[field]);
    if (due.includes("name")) object.learn({ pageName: pageName ?? now.name ?? null });
    if (due.includes("projectId")) object.learn({ projectId: projectId ?? now.projectId ?? null });
  });
}

async function believed(
  pass: PagePass,
  then: Then,
  due: readonly string[],
  result: PageMetadata,
  write: () => Promise<PageMetadata>,
): Promise<JsonMap> {
  const { name: pageName, project_id: projectId } = result;
  const again = async () => camelKeys(await pass.run.api.pages.read(pass.id));
  const unmoved = shownUnmoved(pass, then, due);
  await onceMoved(pass, { call: CALL, answer: result, again: write, unmoved: hiddenUnmoved(pass, then, due) });
  return onceMoved<JsonMap>(pass, { call: CALL, answer: { pageName, projectId }, again, unmoved });
}

/** To be called with what is shown in the end, whatever the answers said. */
export async function onceRenamed<Record extends object>(
  pass: PagePass,
  then: Then,
  record: Record,
  again: () => Promise<Record>,
): Promise<Record> {
  const isUnmoved = shownUnmoved(pass, then, [...pass.changed]);
  return onceMoved(pass, { call: CALL, answer: record, again, unmoved: (shown) => isUnmoved(camelKeys(shown)) });
}

export async function* applyDelay(at: Reached, { writes }: Guarded): Step {
  const { run, id, now, changed } = at;
  const { delay } = now;
  if (!changed.has("delay") || !delay) return at;
  const settings = Object.fromEntries(Object.entries(delay).map(([key, value]) => [snake(key), value]));
  const write = () => run.api.builder.setDelay({ page_id: id, ...settings });
  const answer = await write();
  const sent = written(at);
  yield sent;
  await onceMoved(at, { call: "PATCH /pages/delay", answer, again: write, unmoved: delayUnmoved(at, writes.then) });
  return after(sent, (object) => {
    object.declare("delay", delay);
  });
}

// Which inputs of a page an answer shows as they were before this pass, though others were sent. Tags, label and
// delay are shown by answers to writes alone: what was declared before stands for how they were. Pure.

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

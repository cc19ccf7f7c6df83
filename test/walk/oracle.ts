/**
 * The account shows exactly the changes of the plan afterwards. The oracle reads the emulator's own records, so it also checks values that the API
 * never shows.
 */
import { isDeepStrictEqual } from "node:util";
import type { JsonChange, JsonReport } from "../../stack/report/json.ts";
import type { WalkDesk } from "./desk.ts";
import { BRANDS } from "./operations/world.ts";
import { type Entry, entriesOf, type Program, type Reference, type Section } from "./program.ts";

type Fields = Record<string, unknown>;

/** An object of the account: its record, and for a page the texts of the draft and the published revision. */
export interface Shown {
  readonly collection: Section;
  readonly fields: Fields;
  /** By the key of the content map, or by node. */
  readonly draft: Readonly<Record<string, string>>;
  readonly live: Readonly<Record<string, string>> | undefined;
}

export type Account = ReadonlyMap<string, Shown>;

const RETIRED = "[retired by landform]";
const COLLECTIONS = ["projects", "sites", "pages", "products", "funnels", "hooks"] as const;

type Node = { id: string; misc?: Fields; style?: Fields; children?: Node[] };

export function accountOf({ emulator }: WalkDesk): Account {
  const records = emulator.records();
  const documents = new Map(
    (records["documents"] ?? []).map((one) => [one.id, one as unknown as { draft: Doc; live: Doc | null }]),
  );
  return new Map(
    COLLECTIONS.flatMap((collection) =>
      (records[collection] ?? []).map((record): [string, Shown] => {
        const document = documents.get(record.id);
        const live = document?.live ? textsOf(document.live) : undefined;
        return [record.id, { collection, fields: record, draft: document ? textsOf(document.draft) : {}, live }];
      }),
    ),
  );
}

interface Doc {
  sections: Node[];
  [setting: string]: unknown;
}

/** Returns each setting of each node, by the name of the node if it has one. */
function textsOf({ sections, ...settings }: Doc): Record<string, string> {
  const texts: Record<string, string> = {};
  const visit = ({ id, misc = {}, style = {}, children = [] }: Node): void => {
    const name = typeof misc["name"] === "string" ? misc["name"] : id;
    for (const [key, value] of Object.entries({ ...misc, ...style }))
      texts[key === "text" ? name : `${name}.${key}`] = JSON.stringify(value);
    children.forEach(visit);
  };
  sections.forEach(visit);
  for (const [key, value] of Object.entries(settings)) texts[`:${key}`] = JSON.stringify(value);
  return texts;
}

/** Returns the contradictions to the plan, a sentence each. */
export function brokenPromises(
  before: Account,
  after: Account,
  plan: JsonReport,
  ids: ReadonlyMap<string, string>,
): string[] {
  // One resource may take over another's released object. If two names have one object, the plan says that the first stays and the last goes.
  const rank = ({ op, stays }: JsonChange): number => (op === "delete" ? (stays === undefined ? 1 : 0) : 2);
  const inOrder = [...plan.changes].sort((one, other) => rank(one) - rank(other));
  const changes = new Map(inOrder.flatMap((change) => (change.id === undefined ? [] : [[change.id, change] as const])));
  const mine = new Set(plan.changes.flatMap(({ urn }) => ids.get(urn) ?? []));
  const broken: string[] = [];
  for (const [id, shown] of before) {
    const change = changes.get(id);
    const takenOver = plan.changes.some(({ note = "" }) => note.includes(`takes over the existing ${id} `));
    if (takenOver) continue;
    const publishesEdits = plan.impact?.alsoLive?.some(({ urn }) => urn === change?.urn) === true;
    if (change !== undefined)
      broken.push(...promised(change, id, shown, after.get(id), { now: ids.get(change.urn) ?? "", publishesEdits }));
    else if (
      !same(shown, after.get(id)) &&
      !mayBeTakenOver(shown, id, mine) &&
      !mayFollow(shown, plan, namesOf(id, ids))
    )
      broken.push(`${id} is in no plan, and changed: ${differences(shown, after.get(id)).join(", ")}`);
  }
  const made = [...after.keys()].filter((id) => !before.has(id));
  for (const id of made)
    if (!mine.has(id)) broken.push(`${id} (${after.get(id)?.collection ?? ""}) is new, and in no plan`);
  for (const { urn, op } of plan.changes) {
    const id = ids.get(urn);
    if (op === "delete" && id !== undefined) broken.push(`${urn} was to go, and is in the state`);
    if (op !== "delete" && (id === undefined || !after.has(id)))
      broken.push(`${urn} was to be there (${op}), and isn't`);
  }
  return broken;
}

/** Tells if another may take the object over: a new funnel takes a retired one, and the next project of the same name takes one that had to stay. */
function mayBeTakenOver({ fields }: Shown, id: string, mine: ReadonlySet<string>): boolean {
  const name = String(fields["name"]);
  return mine.has(id) && (name.endsWith(RETIRED) || /\[lf-/.test(name));
}

/** Tells if steps may follow a page that is perhaps replaced. The plan names the funnel, whoever has changed its steps in the app. */
function mayFollow({ collection, fields }: Shown, { changes, impact }: JsonReport, names: readonly string[]): boolean {
  const steps = JSON.stringify(fields["steps"] ?? []);
  const isNamed = impact?.funnels.some(({ name }) => names.includes(name)) === true;
  return (
    collection === "funnels" &&
    changes.some(({ perhaps, id = "" }) => perhaps === "replace" && (isNamed || steps.includes(id)))
  );
}

function namesOf(id: string, ids: ReadonlyMap<string, string>): string[] {
  return [...ids].flatMap(([urn, one]) => (one === id ? [urn.slice(urn.lastIndexOf("::") + 2)] : []));
}

interface Around {
  /** The present id of the resource. */
  now: string;
  /** True if the plan says that it publishes somebody's edits in the app. */
  publishesEdits: boolean;
}

function promised(
  change: JsonChange,
  id: string,
  before: Shown,
  after: Shown | undefined,
  { now, publishesEdits }: Around,
): string[] {
  const { op, urn, stays } = change;
  if (change.perhaps === "replace" && now !== id) return gone(urn, before, after, undefined, []);
  if (op === "update" || op === "adopt")
    return after === undefined ? [`${urn} was to be updated, and is gone`] : updated(change, before, after);
  if (op === "replace" && now === id) return [`${urn} was to be replaced, and has the same id`];
  const [, old] = /the old one stays in the account, (emptied)?/.exec(change.note ?? "") ?? [];
  const oldStays = old === "emptied" ? "retired" : /the old one stays/.test(change.note ?? "") ? "in place" : undefined;
  const aside = /it moves to another address beside the old one/.test(change.note ?? "")
    ? ["slug", "publishedAt", ...(publishesEdits ? ["live"] : [])]
    : [];
  return gone(urn, before, after, stays ?? oldStays, aside);
}

function gone(
  urn: string,
  before: Shown,
  after: Shown | undefined,
  stays: JsonChange["stays"],
  meant: readonly string[],
): string[] {
  const { collection } = before;
  if (collection === "sites") return same(before, after) ? [] : [`${urn}: the site was touched`];
  if (collection === "hooks") return after?.fields["active"] === false ? [] : [`${urn}: the hook is active`];
  if (collection === "funnels" && stays !== "in place") {
    const retired = String(after?.fields["name"]).endsWith(RETIRED) && same(after?.fields["steps"], []);
    return retired ? [] : [`${urn}: the funnel was to be retired`];
  }
  if (stays === undefined) return after === undefined ? [] : [`${urn} was to go, and is there`];
  if (after === undefined) return [`${urn} was to stay, and is gone`];
  const differ = differences(before, after).filter((what) => !["name", "updatedAt", ...meant].includes(what));
  return differ.length === 0 ? [] : [`${urn} was to stay as it is, and changed: ${differ.join(", ")}`];
}

/** Fields of a record by their input. */
const INPUTS: Record<string, string> = {
  pageName: "name",
  siteId: "publish",
  slug: "publish",
  status: "publish",
  publishedAt: "publish",
  live: "publish",
};
const NEVER_MEANT = new Set(["updatedAt"]);

function updated(change: JsonChange, before: Shown, after: Shown): string[] {
  // The plan names the remains of a failed run as such, and not field by field.
  if (change.note !== undefined && /carries on/.test(change.note)) return [];
  const named = change.fields.filter(({ stays }) => stays !== true).map(({ path }) => path);
  const inputs = new Set(named.map((path) => path.split(/[.[]/)[0] ?? path));
  const isPublic = before.fields["status"] === "published" || after.fields["status"] === "published";
  const isMeant = (what: string): boolean => {
    if (NEVER_MEANT.has(what) || inputs.has(INPUTS[what] ?? what)) return true;
    if (what === "publishedAt" || what === "live") return isPublic;
    if (what === "bundleItems") return inputs.has("type");
    if (!what.startsWith("draft ")) return false;
    const key = what.slice("draft ".length);
    const isDeclared = named.some((path) => path === "content" || isOf(keyOf(path), key));
    return isDeclared || inputs.has("variables") || inputs.has("nodes") || (key === ":delay" && inputs.has("delay"));
  };
  return differences(before, after)
    .filter((what) => !isMeant(what))
    .map((what) => `${change.urn}: ${what} changed, and the plan names ${named.join(", ") || "nothing"}`);
}

/** Tells if a setting of the draft belongs to a key of the content map. The text of a node has only the node's name. */
function isOf(key: string, setting: string): boolean {
  return setting === textName(key) || setting === key || setting.startsWith(`${key}.`);
}

function textName(key: string): string {
  return key.replace(/\.text$/, "");
}

/** Returns the key in `content["hero.title"]` or `content.x`. */
function keyOf(path: string): string {
  return /^content\["(.*)"\]$/.exec(path)?.[1] ?? path.replace(/^content\./, "");
}

function differences(before: Shown, after: Shown | undefined): string[] {
  if (after === undefined) return ["(gone)"];
  const keys = (a: object, b: object): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return [
    ...keys(before.fields, after.fields).filter((key) => !same(before.fields[key], after.fields[key])),
    ...keys(before.draft, after.draft)
      .filter((key) => before.draft[key] !== after.draft[key])
      .map((key) => `draft ${key}`),
    ...(same(before.live, after.live) ? [] : ["live"]),
  ];
}

/** Pulumi's own engine sorts the keys of maps. */
function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}

export interface Expectation {
  readonly program: Program;
  /** Ids of the state by section and key. */
  readonly idOf: (section: Section, key: string) => string | undefined;
  /** True for objects that the run leaves out, or that somebody has changed since the last look. */
  readonly isLeftOut: (section: Section, key: string, id: string | undefined) => boolean;
  /** True if visitors may see less than the draft has. */
  readonly isDraft: (id: string) => boolean;
}

/** Returns the differences between account and program, a sentence each. */
export const unlikeProgram = (account: Account, { program, idOf, isLeftOut, isDraft }: Expectation): string[] =>
  entriesOf(program).flatMap(({ section, key, entry }) => {
    const id = idOf(section, key);
    if (isLeftOut(section, key, id)) return [];
    const shown = id === undefined ? undefined : account.get(id);
    if (shown === undefined) return [`${section}.${key} is not in the account (${id ?? "no id"})`];
    const wanted = wantedOf(section, key, entry, idOf);
    const ignored = entry.options?.ignoreChanges ?? [];
    const fields = Object.entries(wanted)
      // With targets, the reference of an entry may not exist under that name.
      .filter(([field, value]) => value !== undefined && !ignored.includes(field))
      .filter(([field, value]) => !same(valueOf(shown, field), value))
      .map(
        ([field, value]) =>
          `${section}.${key}.${field} is ${JSON.stringify(valueOf(shown, field))}, declared ${JSON.stringify(value)}`,
      );
    const texts = isDraft(id ?? "") ? { ...shown, live: shown.draft } : shown;
    return [...fields, ...textsUnlike(section, key, entry, texts)];
  });

function valueOf({ collection, fields }: Shown, field: string): unknown {
  return fields[collection === "pages" && field === "name" ? "pageName" : field];
}

function wantedOf(section: Section, key: string, entry: Entry, idOf: Expectation["idOf"]): Fields {
  const { options, project, template, content, variables, publish, steps, adoptId, delay, targetUrl, ...fields } =
    entry;
  const of = (kind: Section, reference: Reference): string | undefined =>
    typeof reference === "string" ? idOf(kind, reference) : reference.id;
  const named = section === "hooks" ? {} : { name: (entry.name ?? key).trim() };
  return {
    ...fields,
    ...named,
    ...(project !== undefined && { projectId: of("projects", project) }),
    ...(publish !== undefined && { status: "published", siteId: of("sites", publish.site), slug: publish.slug ?? "" }),
    ...(steps !== undefined && { steps: stepsOf(steps, of) }),
  };
}

/** Undefined if a page does not exist under that name. */
function stepsOf(
  steps: NonNullable<Entry["steps"]>,
  of: (kind: Section, reference: Reference) => string | undefined,
): unknown {
  const all = steps.map((step) => {
    if ("url" in step) return step;
    const pageId = "page" in step ? of("pages", step.page) : of("quizzes", step.quiz);
    return { pageId, pageType: step.pageType };
  });
  return all.some((step) => "pageId" in step && step.pageId === undefined) ? undefined : all;
}

/** Compares the declared texts with the draft and the published revision. */
function textsUnlike(section: Section, key: string, entry: Entry, { draft, live }: Shown): string[] {
  const ignored = entry.options?.ignoreChanges ?? [];
  const isIgnored = (name: string): boolean =>
    ["content", "variables", `content["${name}"]`].some((path) => ignored.includes(path));
  const revisions: Readonly<Record<string, Shown["draft"]>> =
    entry.publish === undefined ? { draft } : { draft, live: live ?? {} };
  return Object.entries(entry.content ?? {}).flatMap(([name, value]) => {
    if (isIgnored(name)) return [];
    const wanted = renderings(value, entry).map((text) => JSON.stringify(text));
    return Object.entries(revisions).flatMap(([revision, texts]) =>
      [texts[name], texts[textName(name)]].some((text) => text !== undefined && wanted.includes(text))
        ? []
        : [`${section}.${key} ${name} (${revision}) is ${texts[name] ?? "not there"}, declared ${wanted.join(" or ")}`],
    );
  });
}

/** A variable that is no longer declared keeps its value. A draft that never had one shows its placeholder. */
function renderings(value: unknown, { variables, publish }: Entry): unknown[] {
  if (variables !== undefined) return [rendered(value, variables)];
  const before = BRANDS.map((brand) => rendered(value, { brand }));
  return publish === undefined ? [value, ...before] : before;
}

function rendered(value: unknown, variables: Record<string, string>): unknown {
  return typeof value === "string" ? value.replaceAll("{{brand}}", () => variables["brand"] ?? "{{brand}}") : value;
}

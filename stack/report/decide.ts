/** Decides what happens to each resource, and why, from everything that was told about it and all others. Pure. */
import { isRecord, isUnknown, type Json, nameOf, type PropertyMap } from "../../engine/index.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import { normalSlug } from "../../provider/values/addresses.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { LATER, type Change, type Counts, type Reason, type Report, type Stay } from "./model.ts";
import { renderedIn, rowsOf, type Row } from "./rows.ts";
import { titleIn } from "./words.ts";
import { publicUrls, shortName, type Told, urlOf } from "./steps.ts";
import { shown, textsIn } from "./values.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";
import { type JsonMap, text } from "../../provider/values/json.ts";

interface Facts {
  readonly planning: boolean;
  readonly notices: readonly Notice[];
  /** The URNs of the state's entries that share one object. After a run, its notices tell this. */
  readonly shared?: ReadonlyMap<ObjectKey, readonly string[]> | undefined;
  /** By URN, the URN that the option `deletedWith` names. */
  readonly goesWith?: ReadonlyMap<string, string> | undefined;
}

export function changesOf(told: ReadonlyMap<string, Told>, facts: Facts): Change[] {
  const all = [...told.values()].flatMap((one) => rowsOf(one, facts.planning, facts.notices));
  const replaced = new Set(all.map((row) => (row.op === "replace" ? oldKeyOf(row) : undefined)));
  // A resource that this plan replaces has its deletion in the replacement. Under an alias, the deletion is told by the former URN.
  const rows = all.filter((row) => !row.isLeftover || oldKeyOf(row) === undefined || !replaced.has(oldKeyOf(row)));
  const around = new Around(rows, told, facts);
  return rows.map((row) => decide(row, around, facts.planning));
}

function decide(row: Row, around: Around, planning: boolean): Change {
  const { told, op, step, fields, isLeftover } = row;
  const stay = around.stayOf(row);
  const reason = reasonOf(row, stay, around);
  const { custom = false, inputs } = step?.new ?? step?.old ?? {};
  // A resource that is taken over anew may still have the id of an object that somebody deleted.
  const taken = planning && op === "adopt" ? knownText(inputs?.["adoptId"]) : told.id;
  const id = isLeftover ? step?.old?.id : taken;
  const { editUrl } = told.outputs;
  const name = nameOf(told.urn);
  const title = titleIn(knownText(inputs?.["name"]), name);
  return {
    ...{ urn: told.urn, type: shortName(step?.type ?? ""), name, op },
    ...(title !== undefined && { title }),
    ...(!planning && { status: statusOf(told, custom) }),
    ...(id && { id }),
    ...(op === "delete" && stay && { stays: stay }),
    held: row.held,
    url: around.urlOf(row),
    // A new object can't be edited anywhere yet.
    ...(typeof editUrl === "string" && editUrl !== "" && op !== "create" && { editUrl }),
    fields: [...fields],
    ...(!isLeftover && renderedIn(step)),
    ...(reason && { reason }),
  };
}

function knownText(value: Json | undefined): string | undefined {
  return typeof value === "string" && !isUnknown(value) ? value : undefined;
}

function reasonOf(row: Row, stay: Stay | undefined, around: Around): Reason | undefined {
  switch (row.op) {
    case "create":
      return undefined;
    case "adopt":
      return { code: "adopts" };
    case "update":
      return row.why ?? around.followsFrom(row);
    case "replace":
      return replacedBy(row, stay, around);
    case "delete":
      // The kind alone says the same about each object that is left behind.
      if (stay === undefined || (row.isLeftover && stay === row.stay))
        return row.isLeftover ? { code: "left behind by a replacement" } : around.membersOf(row);
      return { code: "stays", stay };
  }
}

/** The reason of a replacement that means more than a new object and the end of the old one. */
function replacedBy(row: Row, stay: Stay | undefined, around: Around): Reason | undefined {
  const [then, now] = [row.step?.old?.inputs["adoptId"], row.step?.new?.inputs["adoptId"]];
  const movesAside = around.isWanted(row) && { movesAside: true as const };
  if (typeof now !== "string" || now === then) return stay && { code: "old stays", stay, ...movesAside };
  const old = row.stay && { stay: row.stay, ...movesAside };
  return { code: "adopts instead", id: now, ...old, ...around.takerOf(row) };
}

function statusOf({ underWay, failed }: Told, custom: boolean): Change["status"] {
  if (failed) return "failed";
  return underWay.size === 0 || !custom ? "done" : "unfinished";
}

function oldKeyOf({ told, step, op, isLeftover }: Row): ObjectKey | undefined {
  const id = op === "delete" && !isLeftover ? told.id || undefined : step?.old?.id;
  return id === undefined ? undefined : keyOfType(shortName(step?.type ?? ""), id);
}

/** Facts about one resource that come from all resources together. */
class Around {
  readonly #urls: ReadonlyMap<string, string>;
  readonly #stays = new Map<Row, Stay>();
  /** By object, the row that takes it over by its id. */
  readonly #takers: ReadonlyMap<string, Row>;
  /** Places where something will be published. */
  readonly #wanted: ReadonlySet<string>;
  readonly #going: ReadonlySet<string>;
  readonly #certain: readonly Row[];
  readonly #given: readonly Given[];

  constructor(rows: readonly Row[], told: ReadonlyMap<string, Told>, facts: Facts) {
    this.#urls = publicUrls(told);
    this.#wanted = new Set(
      rows.flatMap(({ op, step }) => (op === "delete" ? [] : (placeOf(step?.new?.inputs["publish"]) ?? []))),
    );
    this.#going = new Set(rows.flatMap(({ op, told: { id } }) => (op === "delete" && id !== "" ? [id] : [])));
    this.#takers = new Map(
      rows.flatMap((row) => (row.op === "delete" ? [] : adoptedBy(row).map((key) => [key, row] as const))),
    );
    this.#leaveBehind(rows, facts.goesWith);
    this.#leaveTaken(rows, facts.planning ? facts.shared : undefined);
    const isOpenNow = (row: Row): boolean => facts.planning && isOpen(row);
    this.#certain = rows.filter(
      (row) => (row.op === "update" && !isOpenNow(row)) || (facts.planning && keepsItsAddress(row)),
    );
    this.#given = rows.some(isOpenNow) ? [...told.values()].flatMap(givenBy) : [];
  }

  takerOf(row: Row): { readonly takenBy?: string } {
    const taker = this.#takers.get(oldKeyOf(row) ?? "");
    return taker === undefined ? {} : { takenBy: nameOf(taker.told.urn) };
  }

  stayOf(row: Row): Stay | undefined {
    return this.#stays.get(row) ?? row.stay;
  }

  /** The address of an object that was left behind goes with it, unless its successor already has it. */
  urlOf({ told: { urn }, step, isLeftover }: Row): string | undefined {
    const standing = this.#urls.get(urn);
    if (!isLeftover) return standing;
    const url = urlOf(step?.old?.outputs ?? {});
    return url === standing ? undefined : url;
  }

  /** Tells if the old page of a replacement makes way, because the plan puts another page at its address. */
  isWanted({ step }: Row): boolean {
    const place = publicPlaceOf(step?.old?.outputs ?? {});
    return place !== undefined && this.#wanted.has(place);
  }

  /** Tells of a deletion what stays of the pages that it gathered. */
  membersOf({ step }: Row): Reason | undefined {
    const gathers = definitionOf(step?.type ?? "")?.gathers;
    const ids = gathers?.memberIds(shown(step?.old?.inputs ?? {}) as JsonMap) ?? [];
    const staying = ids.filter((id) => !this.#going.has(id));
    if (staying.length === 0) return undefined;
    return { code: "pages stay", ...(staying.length < ids.length && { some: true }) };
  }

  /** Finds updates that only unknown values cause. If these come out as before, the run does nothing. */
  followsFrom(row: Row): Reason | undefined {
    const from = this.#given.length > 0 && isOpen(row) ? sourcesOf(row, this.#certain, this.#given) : [];
    return from.length === 0 ? undefined : { code: "may follow", from };
  }

  /** With `deletedWith`, an engine makes no call for an object that goes along. This service deletes nothing along: it stays. */
  #leaveBehind(rows: readonly Row[], goesWith: Facts["goesWith"]): void {
    const going = new Set(rows.flatMap(({ op, told }) => (op === "delete" || op === "replace" ? [told.urn] : [])));
    const isLeft = ({ told: { urn }, stay }: Row): boolean =>
      stay === undefined && going.has(urn) && going.has(goesWith?.get(urn) ?? "");
    for (const row of rows) if (isLeft(row)) this.#stays.set(row, STAY);
  }

  /** Keeps an object that another resource has or takes over by its id. If all its resources go, the last one takes it along. */
  #leaveTaken(rows: readonly Row[], shared: Facts["shared"]): void {
    const leaving = Map.groupBy(rows, (row) => this.#leavingKey(row));
    for (const [key, leavers] of leaving) {
      if (key === undefined) continue;
      const all = shared?.get(key)?.length ?? 1;
      const isTaken = this.#takers.has(key) || all > leavers.length;
      for (const [index, row] of leavers.entries()) {
        const isKept = isTaken || index + 1 < all;
        if (isKept && (row.op === "delete" || row.stay === undefined)) this.#stays.set(row, STAY);
      }
    }
  }

  /** Returns the object that a row takes away. Returns undefined if it takes none, or if the object is already gone. */
  #leavingKey(row: Row): ObjectKey | undefined {
    if (row.op === "replace") return oldKeyOf(row);
    const goes = row.op === "delete" && this.stayOf(row) !== "in place" && row.told.live !== null;
    return goes ? oldKeyOf(row) : undefined;
  }
}

const STAY = "in place" as const;

function adoptedBy({ step, fields }: Row): ObjectKey[] {
  return fields.flatMap(({ path, new: id }) =>
    path.join() === "adoptId" && typeof id === "string" ? [keyOfType(step?.type ?? "", id)] : [],
  );
}

/** Tells if none of the new values is known yet. */
function isOpen({ op, why, fields }: Row): boolean {
  const open =
    fields.length > 0 &&
    fields.every(({ new: next }) => next !== undefined && textsIn(next).some(({ text }) => text === LATER));
  return op === "update" && why === undefined && open;
}

/** If a page is made anew in its old place, only its address is likely to stay the same. */
function keepsItsAddress({ op, fields }: Row): boolean {
  return op === "replace" && !fields.some(({ path: [input] }) => input === "publish");
}

/** Finds updated resources that gave every earlier value, or replaced ones that keep their address. Other values of a new object certainly differ. */
function sourcesOf({ fields }: Row, certain: readonly Row[], given: readonly Given[]): string[] {
  const sources = fields.map(({ old }) => {
    const from = textsIn(old).flatMap(({ text }) => giversOf(text, given));
    return certain.filter(({ told: { urn }, op }) =>
      from.some((one) => one.urn === urn && (op === "update" || one.output === "url")),
    );
  });
  if (sources.some((found) => found.length === 0)) return [];
  return [...new Set(sources.flat().map(({ told }) => nameOf(told.urn)))];
}

interface Given {
  readonly urn: string;
  readonly output: string;
  readonly text: string;
}

/** Shorter texts occur in many others. */
const SHORTEST = 8;

function givenBy({ urn, steps, outputs }: Told): Given[] {
  // A value that it takes from its own inputs, such as its project, comes from another resource.
  const had = [...steps.values()].flatMap(({ old }) => textsIn(old?.inputs).map(({ text }) => text));
  return Object.entries(outputs).flatMap(([output, text]) =>
    typeof text === "string" && text.length >= SHORTEST && !had.includes(text) ? [{ urn, output, text }] : [],
  );
}

/** Returns the resources whose value the text holds. The longest value counts, because the address of one page may be the start of another's. */
function giversOf(text: string, given: readonly Given[]): Given[] {
  const found = given.filter((one) => text.includes(one.text));
  const longest = Math.max(0, ...found.map((one) => one.text.length));
  return found.filter((one) => one.text.length === longest);
}

export function publicPlaceOf({ status, siteId, slug }: PropertyMap): string | undefined {
  return status === "published" ? placeOf({ siteId: siteId ?? null, slug: slug ?? null }) : undefined;
}

/** Returns undefined if the place isn't known yet. */
export function placeOf(publish: Json | undefined): string | undefined {
  if (!isRecord(publish)) return undefined;
  const { siteId, slug } = publish;
  return typeof siteId === "string" ? `${siteId}/${normalSlug(text(slug))}` : undefined;
}

/** The second step: what only the account, or the run that is taken back, knows of a row. It takes the place of the row's own. */
export interface Learned extends Partial<Pick<Change, "op" | "fields" | "rendered" | "stays" | "held">> {
  readonly reason?: Reason | undefined;
}

export type LearnedRows = ReadonlyMap<string, Learned>;

/** Deletions that leave their objects in place, as the account says. */
export function leftInPlace(urns: readonly string[]): LearnedRows {
  return new Map(urns.map((urn) => [urn, { stays: STAY, reason: { code: "stays", stay: STAY } }]));
}

/** Creations that take over an object of their name, which they leave as it is. */
export function takenOverByName(urns: Iterable<string>): LearnedRows {
  return new Map([...urns].map((urn) => [urn, { op: "adopt", fields: [], reason: { code: "adopts", asItIs: true } }]));
}

export function withLearned(report: Report, learned: LearnedRows): Report {
  if (learned.size === 0) return report;
  const changes = report.changes.map((change): Change => {
    const { reason, ...whole } = { ...change, ...learned.get(change.urn) };
    return { ...whole, ...(reason && { reason }) };
  });
  const { same, unreached } = report.counts;
  const reached = changes.filter(({ status }) => status !== "unreached");
  return { ...report, changes, counts: { ...countsOf(reached), same, unreached } };
}

export function countsOf(changes: readonly Change[]): Counts {
  const done = { create: 0, adopt: 0, update: 0, replace: 0, delete: 0, left: 0, held: 0, same: 0 };
  const counts: Counts = { ...done, mayFollow: 0, failed: 0, unfinished: 0, unreached: 0 };
  for (const change of changes) counts[countedAs(change)]++;
  return counts;
}

/** Tells what becomes of the old object of a replacement. Without `stay`, the run deletes it. */
export function oldOf({ reason }: Pick<Change, "reason">): { stay?: Stay; movesAside?: true } {
  return reason?.code === "old stays" || reason?.code === "adopts instead" ? reason : {};
}

export function isAsItIs({ reason }: Pick<Change, "reason">): boolean {
  return reason?.code === "adopts" && reason.asItIs === true;
}

/** Returns the URNs of old objects that a plan leaves in the account. */
export function leftBy(changes: readonly Change[]): Set<string> {
  const left = changes.filter((change) => change.stays === STAY || oldOf(change).stay !== undefined);
  return new Set(left.map(({ urn }) => urn));
}

export function objectsLeftBy(changes: readonly Change[]): ObjectKey[] {
  return changes.flatMap((change) => {
    const { type, id, op, stays } = change;
    const isLeft = (op === "replace" ? oldOf(change).stay : stays) === STAY;
    return isLeft && id !== undefined ? [keyOfType(type, id)] : [];
  });
}

function countedAs({ op, status, stays, held, reason }: Change): keyof Counts {
  if (reason?.code === "may follow") return "mayFollow";
  if (status !== undefined && status !== "done") return status;
  if (held !== undefined && op === "update") return "held";
  return stays === undefined ? op : "left";
}

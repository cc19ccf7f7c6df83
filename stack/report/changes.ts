/** What was told about a resource, as the changes that a report shows. Pure. */
import { isDeepStrictEqual } from "node:util";
import { type StepEventMetadata, isRootStack, isSecret, nameOf } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { definitionOf, keyOfType, registry } from "../../provider/kinds/registry.ts";
import { DRAFT, DRAFTS } from "../../provider/kinds/page/released.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { hiddenField, hiddenIn, fieldsOf, isOwnId, refreshedFields } from "./values.ts";
import type { Change, ChangeOp, Counts, Field, Reason } from "./model.ts";
import { perhaps } from "./perhaps.ts";
import { stayOf } from "./stays.ts";
import { decisive, operationOf, shortName, urlOf, type Told } from "./steps.ts";
import { withStaying } from "./notes.ts";
import { renderedIn } from "./rendered.ts";

interface RunFacts {
  planning: boolean;
  notices: readonly Notice[];
  /** Public addresses by URN. */
  urls: ReadonlyMap<string, string>;
}

export function changesOf(told: Told, facts: RunFacts): Change[] {
  if (isRootStack(told.urn)) return [];
  const op = operationOf(told.steps);
  const changes = op === undefined || isReleased(told) ? [] : [changeOf(told, op, facts)];
  return [...changes, ...[...told.leftovers.values()].map((leftover) => leftoverOf(told, leftover, facts))];
}

/** The address that it had is gone with it, unless what took its place is there already. */
function leftoverOf(told: Told, leftover: StepEventMetadata, facts: RunFacts): Change {
  const { url: standing, stays: _, ...change } = changeOf(told, "delete", facts);
  const { old } = leftover;
  const url = urlOf(old?.outputs ?? {});
  const stays = stayOf(leftover, facts.notices);
  return {
    ...change,
    ...(stays === undefined ? {} : { stays }),
    ...(url === undefined || url === standing ? {} : { url }),
    fields: [],
    id: old?.id,
    reason: { code: "left behind by a replacement" },
  };
}

/** What this plan replaces goes with it: under an alias, its deletion is told by the URN that it had. */
export function withoutReplaced(changes: readonly Change[], told: ReadonlyMap<string, Told>): Change[] {
  const replaced = new Set(
    changes.flatMap(({ urn, type, op }) => {
      const id = op === "replace" ? decisive(told.get(urn)?.steps ?? new Map(), op)?.old?.id : undefined;
      return id === undefined ? [] : [keyOfType(type, id)];
    }),
  );
  return changes.filter(
    ({ reason, type, id = "" }) =>
      reason?.code !== "left behind by a replacement" || !replaced.has(keyOfType(type, id)),
  );
}

/** A refresh by itself that found what its release has published. */
function isReleased({ alone, steps, outputs }: Told): boolean {
  const [step] = steps.values();
  if (alone !== true || step === undefined || outputs[DRAFT] === undefined) return false;
  const moved = Object.values<AnyDefinition>(registry).find(({ type }) => type === shortName(step.type))?.shown
    .movedByRelease;
  const update = steps.get("update");
  return (
    moved !== undefined &&
    update !== undefined &&
    refreshedFields(update).every(({ path: [output] }) => moved.includes(String(output)))
  );
}

function changeOf(told: Told, op: ChangeOp, { planning, notices, urls }: RunFacts): Change {
  const metadata = decisive(told.steps, op);
  const state = metadata?.new ?? metadata?.old;
  const fieldsFor = told.alone === true ? refreshedFields : fieldsOf;
  const all = metadata && op !== "delete" ? withHidden(told, metadata, fieldsFor(metadata), notices) : [];
  const found = op === "update" ? all.filter((field) => !isOwnId(field)) : all;
  // What is made anew has nothing of the old one.
  const isNew = op === "replace" && typeof state?.inputs["adoptId"] !== "string";
  const fields = isNew ? found : withStaying(found, shortName(metadata?.type ?? ""), metadata?.new?.inputs);
  const url = urls.get(told.urn);
  // What is gone already can't stay.
  const stays = op === "delete" && told.live !== null ? stayOf(metadata, notices) : undefined;
  const reason: Reason | undefined =
    stays !== undefined
      ? { code: "stays", stay: stays }
      : op === "replace"
        ? replacementReason(metadata, notices)
        : reasonOf(metadata, op, fields, planning);
  return {
    urn: told.urn,
    type: shortName(metadata?.type ?? ""),
    name: nameOf(told.urn),
    op,
    ...(planning ? {} : { status: statusOf(told, state?.custom === true) }),
    // What is taken over anew may stand for what somebody deleted.
    ...(told.id === "" || (planning && op === "adopt") ? {} : { id: told.id }),
    ...(stays === undefined ? {} : { stays }),
    ...(url === undefined ? {} : { url }),
    ...editable(told, op),
    fields,
    ...renderedIn(metadata),
    ...(reason === undefined ? {} : { reason }),
  };
}

function withHidden(
  { id, alone }: Told,
  step: StepEventMetadata,
  fields: readonly Field[],
  notices: readonly Notice[],
): Field[] {
  const moved = { type: shortName(step.type), id: step.old?.id ?? id, by: alone === true ? "app" : "code" } as const;
  const hidden = hiddenIn(moved, notices, [step.old?.inputs ?? {}, step.new?.inputs ?? {}], fields);
  return toldFields(step.type, [...fields, ...hidden.map(hiddenField)]);
}

/** Without what a release hears of its pages: they are told themselves. */
export function toldFields(type: string, fields: readonly Field[]): Field[] {
  const hears = definitionOf(type)?.gathers !== undefined;
  return fields.filter(({ path }) => !hears || path[0] !== DRAFTS);
}

/** What else a replacement means than a new object and the end of the old one. */
function replacementReason(step: StepEventMetadata | undefined, notices: readonly Notice[]): Reason | undefined {
  const stay = stayOf(step, notices);
  const [then, now] = [step?.old?.inputs["adoptId"], step?.new?.inputs["adoptId"]];
  const old = stay === undefined ? {} : { stay };
  if (typeof now === "string" && now !== then) return { code: "adopts instead", id: now, ...old };
  return stay === undefined ? undefined : { code: "old stays", stay, ...old };
}

/** What is new is edited nowhere yet. */
function editable({ outputs }: Told, op: ChangeOp): Pick<Change, "editUrl"> {
  const { editUrl } = outputs;
  return typeof editUrl === "string" && editUrl !== "" && op !== "create" ? { editUrl } : {};
}

function reasonOf(
  metadata: StepEventMetadata | undefined,
  op: ChangeOp,
  fields: readonly Field[],
  planning: boolean,
): Reason | undefined {
  if (op === "adopt") return { code: "adopts" };
  if (op !== "update") return undefined;
  const uncertain = planning ? perhaps(metadata) : undefined;
  if (uncertain !== undefined) return uncertain;
  const errors = metadata?.old?.initErrors ?? [];
  if (errors.length > 0) return { code: "carries on", after: errors.join("; ") };
  if (fields.length > 0) return undefined;
  return isPublishing(metadata) ? { code: "publishes" } : { code: "carries on" };
}

/** Its pages change. */
function isPublishing(step: StepEventMetadata | undefined): boolean {
  if (step === undefined || definitionOf(step.type)?.gathers === undefined) return false;
  const [before, now] = [step.old?.inputs[DRAFTS], step.new?.inputs[DRAFTS]];
  // On Pulumi's engine they are secrets of a program, and nothing tells one hidden value from another: what failed is told before.
  return isSecret(now) || !isDeepStrictEqual(before, now);
}

export function countedAs({ op, status, stays, reason }: Change): keyof Counts {
  if (reason?.code === "may follow") return "mayFollow";
  if (status !== undefined && status !== "done") return status;
  return stays === undefined ? op : "left";
}

/** What targets leave out of creation is told as the same as nothing: it has no id. */
export function isSame({ urn, steps, id }: Told): boolean {
  const step = steps.get("same");
  return step !== undefined && !isRootStack(urn) && (id !== "" || step.new?.custom === false);
}

function statusOf({ underWay, failed }: Told, custom: boolean): Change["status"] {
  if (failed) return "failed";
  return underWay.size === 0 || !custom ? "done" : "unfinished";
}

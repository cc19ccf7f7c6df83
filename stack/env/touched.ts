/**
 * Finds the resources that a preview of a change makes for itself, by the plan that its base would get from the same code: those that the
 * change touches, and what leads to them. It only reads.
 */
import { exitCodes, RefusedError } from "../exit/codes.ts";
import { wantedOf } from "../report/steps.ts";
import { StackSession } from "../run/session.ts";
import type { ReadStack } from "./base.ts";
import type { UpOptions } from "./types.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { leadTo, type Moved, movesOf, UNMARKED } from "../../provider/preview/addresses.ts";
import { baseObjects, isMadeInPreview, type StoredResource } from "../../provider/preview/base.ts";
import { urnInStack } from "../../provider/preview/facts.ts";
import { typeOf } from "../../engine/index.ts";
import type { ChangeOp } from "../report/model.ts";

interface PlanOfBase {
  readonly changes: readonly { readonly urn: string; readonly op: ChangeOp }[];
  /** By URN and input, the resources that its value is made of. The state has those that the plan does not tell. */
  readonly references: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;
}

interface Touched {
  /** The resources that the preview makes for itself, or has no more, by URN without the stack. */
  readonly copied: ReadonlySet<string>;
  /** False if there would be nothing to look at. */
  readonly isShown: boolean;
  /** The number of public pages that stay as they are. */
  readonly staying: number;
}

interface Found extends Partial<Touched> {
  /** Nobody can tell what to copy. The plan of the preview itself may say more, so this is for the moment after it. */
  readonly failed?: RefusedError;
}

export async function touchedIn(options: UpOptions, base: ReadStack): Promise<Found> {
  const { report, preview } = await StackSession.with({ ...options, stack: base.name, target: [] }, async (session) => {
    const request = { kind: "preview", wantsPlan: true } as const;
    return { ...(await session.run("preview", request, { quiet: true })), exit: exitCodes.done };
  });
  if (report.result !== "succeeded") {
    const why = report.failures[0]?.message ?? "it was interrupted";
    const text =
      `Landform can't tell which pages the change touches: the plan of ${base.name} failed (${why}). Nothing was sent. ` +
      "Mend that, or preview the whole campaign: env up without --changed, or ci preview with --all";
    return { failed: new RefusedError(text) };
  }
  const references = [...preview.told].flatMap(([urn, told]) => {
    const { propertyDependencies = {} } = wantedOf(told) ?? {};
    // An engine may not tell them for resources that stay the same.
    return Object.keys(propertyDependencies).length === 0 ? [] : [[urn, propertyDependencies] as const];
  });
  const plan = { changes: report.changes, references: new Map(references) };
  return touchedBy(plan, base.resources, { hooks: options.hooks === true });
}

function touchedBy(
  { changes, references }: PlanOfBase,
  base: readonly StoredResource[],
  { hooks }: { readonly hooks: boolean },
): Touched {
  const gone = new Set(changes.flatMap(({ urn, op }) => (op === "delete" ? [urn] : [])));
  const isMade = (urn: string): boolean => {
    const definition = definitionIn(urn);
    if (definition === undefined) return !/::pulumi:/.test(urn);
    const { becomes } = definition.inPreview;
    return isMadeInPreview(definition) && (becomes === "made" || hooks) && definition.gathers === undefined;
  };
  const known = new Map(base.map((one) => [one.urn, one]));
  const all = [...new Set([...known.keys(), ...references.keys()])].filter((urn) => !gone.has(urn));
  const sources = new Map(all.map((urn) => [urn, sourcesOf(references.get(urn), known.get(urn))]));
  const madeOf = (urn: string, others: ReadonlySet<string>): boolean =>
    sources.get(urn)?.some((source) => others.has(source)) === true;

  const touched = new Set(changes.flatMap(({ urn, op }) => (op !== "delete" && isMade(urn) ? [urn] : [])));
  // A page shows the product that it refers to.
  spread(touched, (parts) => all.filter((urn) => isMade(urn) && madeOf(urn, parts)));

  const leading = new Set(touched);
  const moves = movesTo(new Set([...touched, ...gone]), base);
  const sites = baseObjects(base);
  for (const urn of all) {
    const { inputs = {} } = known.get(urn) ?? {};
    const leadsThere = (): boolean => leadTo(moves, inputs, sites[urnInStack(urn)]?.siteId);
    if (isMade(urn) && (madeOf(urn, touched) || leadsThere())) leading.add(urn);
  }
  spread(leading, (parts) => all.filter((urn) => isMade(urn) && madeOf(urn, parts)));

  const gathering = all.filter((urn) => definitionIn(urn)?.gathers !== undefined && madeOf(urn, leading));
  const copied = new Set([...leading, ...gathering, ...gone].map(urnInStack));
  const objects = Object.values(baseObjects(base, copied));
  return {
    copied,
    isShown: [...leading].some((urn) => isToLookAt(definitionIn(urn))),
    staying: objects.filter(({ stays, url }) => stays === true && url !== undefined).length,
  };
}

function isToLookAt(definition: AnyDefinition | undefined): boolean {
  return definition?.public === "address" || definition?.inPreview.becomes === "asked for";
}

/** Adds what is made of the parts of pages among these, such as products. A page or a funnel is no part: it is only linked to. */
function spread(found: Set<string>, madeOf: (parts: ReadonlySet<string>) => readonly string[]): void {
  for (let before = -1; before !== found.size;) {
    before = found.size;
    const parts = new Set([...found].filter((urn) => definitionIn(urn)?.public === undefined));
    for (const urn of madeOf(parts)) found.add(urn);
  }
}

/** Returns the addresses of these pages as moved. All others stay, so that a path means the same page as in the preview. */
function movesTo(objects: ReadonlySet<string>, base: readonly StoredResource[]): Moved[] {
  const moved = new Set([...objects].map(urnInStack));
  return movesOf(baseObjects(base, moved), { prefix: "preview", slugStyle: "path", mark: UNMARKED });
}

function sourcesOf(
  told: Readonly<Record<string, readonly string[]>> | undefined,
  known: StoredResource | undefined,
): string[] {
  const references = Object.entries(told ?? known?.propertyDependencies ?? {});
  return references.flatMap(([input, urns]) => (input.startsWith("__") ? [] : urns));
}

function definitionIn(urn: string): AnyDefinition | undefined {
  return definitionOf(typeOf(urn));
}

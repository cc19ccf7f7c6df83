/** The registrations of a program's resources when the program runs as a preview. */
import * as pulumi from "@pulumi/pulumi";

// The engine hears nothing of this question (kept-outputs.ts).
import { isDryRun } from "@pulumi/pulumi/runtime/settings.js";
import type { AnyDefinition } from "../definition/define.ts";
import { isMap, same } from "../values/json.ts";
import { getContentMap } from "../lookups/index.ts";
import { isRead, rewritten } from "../preview/addresses.ts";
import type { BaseObject } from "../preview/facts.ts";
import { hasHost } from "../preview/base.ts";
import { hiddenTexts, previewName } from "../definition/in-preview.ts";
import type { Placed, PreviewPlace } from "../definition/in-preview.ts";
import { type StandInFor, standInType } from "../preview/stand-ins.ts";
import { resourceType } from "../kinds/registry.ts";
import { knownValue } from "./kept-outputs.ts";
import { guided } from "./lookup-forms.ts";
import { type Scope, withoutStaying } from "./preview.ts";
import { mapProperties, mapTexts, mapValue } from "./preview-values.ts";
import { handlerReference } from "./registered.ts";

type Args = Record<string, unknown>;

export interface StandIn {
  readonly registration: [type: string, name: string, props: pulumi.Inputs, options: pulumi.CustomResourceOptions];
  /** The outputs that are known before anything ran. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** Returns the other arguments with which a resource is made, or its stand-in, which is a registration of its own. */
export function previewed(
  scope: Scope,
  definition: AnyDefinition,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions,
): Pick<Resource, "args" | "options"> | StandIn {
  const { becomes } = definition.inPreview;
  const { base: objects, environment } = scope.facts;
  const { hooks, drafts } = environment;
  const urn = urnOf(definition, name, options);
  const base = objects[urn];
  const mended = mendedOptions(scope, definition, name, options);
  const resource: Resource = { scope, definition, name, args: { ...args }, options: mended, urn, base };
  if (becomes === "base's") return existing(resource);
  if (becomes === "left out") return leftOut(resource, "shared");
  if (becomes === "asked for" && !hooks) return leftOut(resource, "hook");
  if (definition.gathers !== undefined && drafts) return leftOut(resource, "draft");
  if (base?.stays === true) return staying(resource, base);
  return { args: madeArgs(resource), options: mended };
}

interface Resource {
  readonly scope: Scope;
  readonly definition: AnyDefinition;
  readonly name: string;
  readonly args: Args;
  readonly options: pulumi.CustomResourceOptions;
  /** The URN without the stack, as the base's state has it. */
  readonly urn: string;
  /** The object that the base has in its place. */
  readonly base: BaseObject | undefined;
}

/** Makes every resource of a preview come after its record, and lets none of them stay. */
function mendedOptions(
  { environment }: Scope,
  { kind }: AnyDefinition,
  name: string,
  options: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  const { protect, dependsOn, parent } = options;
  const isProtected = protect ?? (parent && (Reflect.get(parent, "__protect") as boolean | undefined));
  return {
    ...withoutStaying({ ...options, protect: isProtected }, kind, name),
    dependsOn: pulumi.output(dependsOn ?? []).apply((given) => [given, environment].flat()),
  };
}

function existing(resource: Resource): StandIn {
  const { scope, definition, name, args, options, base } = resource;
  const { kind } = definition;
  const named = options.provider === undefined ? scope.facts.named[kind] : undefined;
  const id = named?.id ?? base?.id ?? args["adoptId"];
  if (id === undefined) throw new pulumi.RunError(nothingStandsFor(scope, definition, name));
  const outputs = named === undefined ? (base?.outputs ?? {}) : {};
  return standIn(resource, ["Existing", "existing"], { kind, of: id }, { ...outputs, id });
}

function nothingStandsFor({ facts }: Scope, { type, kind }: AnyDefinition, name: string): string {
  const { base } = facts.environment;
  const why = base === undefined ? "there is no base" : `the base ${base} has none of that name`;
  return (
    `${type} "${name}": a preview makes no ${kind}, since it could not be taken away again, and ${why}. ` +
    `Apply the base first, or say which one to use with --${kind}.`
  );
}

/** The base's object as its state has it: the preview links to it, and neither reads nor changes it. */
function staying(resource: Resource, { id, outputs = {} }: BaseObject): StandIn {
  const props = { ...outputs, kind: resource.definition.kind, of: id };
  return standIn(resource, ["Staying", "leftOut"], props, { ...outputs, id });
}

function leftOut(resource: Resource, why: string): StandIn {
  const { definition, args } = resource;
  const { about } = definition.inPreview;
  const secret = new Set([...(definition.secrets ?? []), "adoptId"]);
  const open = Object.fromEntries(Object.entries(args).filter(([key]) => !secret.has(key)));
  const of = about === undefined ? undefined : args[about];
  const props = { ...open, kind: definition.kind, why, ...(of !== undefined && { of }) };
  return standIn(resource, ["LeftOut", "leftOut"], props, of === undefined ? {} : { id: of });
}

function standIn(
  { definition, name, options }: Resource,
  [type, handler]: readonly [type: StandInFor, handler: string],
  props: Args,
  known: Args,
): StandIn {
  const outputs = Object.fromEntries(Object.keys(definition.outputs.shape).map((key) => [key, undefined]));
  const all = { ...outputs, ...props, __provider: handlerReference(handler) };
  return { registration: [standInType(type, definition), name, all, options], known };
}

function madeArgs(resource: Resource): Args {
  const { scope, definition, name } = resource;
  const { publishes = [], hides = "" } = definition.inPreview;
  const { args, from } = copiedArgs(resource);
  if (definition.named) args["name"] = mapTexts(args["name"] ?? name, (text) => previewName(scope.prefix, text));
  if (scope.facts.environment.drafts) for (const input of publishes) Reflect.deleteProperty(args, input);
  if (args[hides] !== undefined) args[hides] = mapValue(args[hides], hiddenTexts);
  return rewrittenArgs(resource, placedArgs(resource, args), from);
}

/** Makes an adopted or seeded object as a copy: nothing of the original is touched. */
function copiedArgs(resource: Resource): { args: Args; from: unknown } {
  const { definition, args, base } = resource;
  const { copies, anew } = definition.inPreview;
  const { adoptId, ...own } = args;
  if (adoptId === undefined)
    return isSeeded(resource) ? copyOf(definition, own, base?.id) : { args: own, from: undefined };
  if (copies) return copyOf(definition, own, base?.id ?? adoptId);
  return { args: { ...own, ...anew?.(own) }, from: undefined };
}

function copyOf({ inPreview }: AnyDefinition, args: Args, from: unknown): { args: Args; from: unknown } {
  const { by, without } = inPreview.copies ?? { by: "", without: [] };
  const kept = Object.entries(args).filter(([key]) => !without.includes(key));
  return { args: { ...Object.fromEntries(kept), [by]: from }, from };
}

/** Tells if the preview copies the base's object. If the program makes it from something else than the base did, a copy would hide that. */
function isSeeded({ scope, definition, args, base }: Resource): boolean {
  if (!scope.facts.environment.seed || base === undefined || !definition.inPreview.copies) return false;
  const fields = new Set([...Object.keys(base.origin), "templateId", "duplicateOf", "variables"]);
  return [...fields].every((field) => same(base.origin[field], args[field]));
}

function placedArgs({ scope, definition, options, urn }: Resource, args: Args): Args {
  const { prefix, facts } = scope;
  // An object of another account can't be on a site of this one.
  const objects = options.provider === undefined ? Object.entries(facts.named) : [];
  const around: PreviewPlace = {
    prefix,
    slugStyle: facts.environment.slugStyle,
    named: Object.fromEntries(objects.map(([kind, { id }]) => [kind, id])),
    mark: (slug) => scope.mark(urn, slug),
  };
  const changed = Object.entries(definition.inPreview.places ?? {}).flatMap(([input, place]) => {
    if (args[input] === undefined) return [];
    const put = (how: Placed) => (value: unknown) =>
      mapValue(value, (known) => how(known as Parameters<Placed>[0], around));
    const value =
      typeof place === "function"
        ? put(place)(args[input])
        : mapProperties(args[input], Object.fromEntries(Object.entries(place).map(([key, how]) => [key, put(how)])));
    return [[input, value] as const];
  });
  return { ...args, ...Object.fromEntries(changed) };
}

/** Rewrites addresses in the arguments. The texts of a copy count, too: those that point to the base are declared. */
function rewrittenArgs(resource: Resource, args: Args, from: unknown): Args {
  const { moves } = resource.scope;
  const site = siteOf(resource);
  const change = (value: unknown): unknown =>
    mapValue(site, (siteId) => mapTexts(value, (text, key) => rewritten(text, moves, { key, siteId })));
  const own = Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, isRead(key) ? change(value) : value]),
  );
  if (from === undefined || moves.length === 0) return own;
  const { content } = own;
  return { ...own, content: brought(from, { moves, site }, content) };
}

/** Returns the site on which the base has it. For a new page, it is the site where it is published, unless another site stands for it. */
function siteOf({ scope, args, base }: Resource): pulumi.Input<string | undefined> {
  if (base?.siteId !== undefined || hasHost(scope.facts.named) || !isOfSites(scope)) return base?.siteId;
  const siteIn = (publish: unknown): unknown => (isMap(publish) ? publish["siteId"] : undefined);
  return mapValue(args["publish"], siteIn) as pulumi.Input<string | undefined>;
}

/** Tells if the pages are on several sites. If all are on one, there is nothing to wait for. */
function isOfSites({ facts }: Scope): boolean {
  return new Set(Object.values(facts.base).flatMap(({ siteId }) => siteId ?? [])).size > 1;
}

async function brought(
  from: unknown,
  { moves, site }: { moves: Scope["moves"]; site: pulumi.Input<string | undefined> },
  declared: unknown,
): Promise<unknown> {
  const [pageId, siteId] = await Promise.all([from, site].map(knownValue));
  if (typeof pageId !== "string") return declared;
  const { content } = await guided((api) => getContentMap(api, { pageId }), undefined);
  const live = Object.entries(content).flatMap(([key, text]) => {
    const here = mapTexts(text, (one, name) =>
      rewritten(one, moves, { key: name === "" ? key : name, siteId: siteId as string | undefined }),
    );
    return same(here, text) ? [] : [[key, here] as const];
  });
  if (live.length === 0) return declared;
  return { ...Object.fromEntries(live), ...((await declared) as Args | undefined) };
}

function urnOf(definition: AnyDefinition, name: string, { parent }: pulumi.CustomResourceOptions): string {
  const types = [resourceType(definition)];
  let above: object | undefined = parent;
  while (above !== undefined) {
    types.unshift(programTypes.get(above) ?? String(Reflect.get(above, "__pulumiType")));
    above = Reflect.get(above, "__parentResource") as object | undefined;
  }
  const chain = types.filter((type) => type !== "pulumi:pulumi:Stack").join("$");
  return `${pulumi.getProject()}::${chain}::${name}`;
}

/** The types that the program knows, by stand-in. */
const programTypes = new WeakMap<object, string>();

export function isStandIn(resource: pulumi.CustomResource): boolean {
  return programTypes.has(resource);
}

/** Makes the known outputs of a stand-in known in a plan, too. Otherwise all that refers to it would be unknown in the first one. */
export function settleStandIn(resource: pulumi.CustomResource, definition: AnyDefinition, { known }: StandIn): void {
  programTypes.set(resource, resourceType(definition));
  if (!isDryRun()) return;
  for (const [name, value] of Object.entries(known)) {
    const output = pulumi.output(value);
    Object.defineProperty(resource, name, { value: output, enumerable: true, configurable: true, writable: true });
  }
}

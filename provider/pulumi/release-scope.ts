/** Knows the release that the resources under construction belong to: its pages, and the resources that follow it. */
import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../definition/define.ts";
import { isStandIn } from "./preview-registration.ts";
import { wholeOf } from "./kept-outputs.ts";
import { mapValue } from "./preview-values.ts";
import { definitionOf } from "../kinds/registry.ts";

interface Scope {
  readonly release: string;
  readonly members: pulumi.CustomResource[];
}

let pagesOf: Scope | undefined;
let following: pulumi.Resource | undefined;

/** Runs `work`, whose pages are the release's. */
export function inRelease<T>(release: string, work: () => T): { result: T; members: readonly pulumi.CustomResource[] } {
  if (pagesOf)
    throw new TypeError(`Release "${release}": it is inside of release "${pagesOf.release}"; a page is in one`);
  const scope: Scope = { release, members: [] };
  pagesOf = scope;
  try {
    return { result: work(), members: scope.members };
  } finally {
    pagesOf = undefined;
  }
}

/** Runs `work`, whose resources wait for the release. */
export function afterRelease<T>(release: pulumi.Resource, work: () => T): T {
  const before = following;
  following = release;
  try {
    return work();
  } finally {
    following = before;
  }
}

/** Tells the inputs of a page in a release which release publishes it. */
export function withRelease(definition: AnyDefinition, name: string, args: object): object {
  if (definition.public !== "address" || !pagesOf) return args;
  const publish: unknown = Reflect.get(args, "publish");
  const { release } = pagesOf;
  if (publish === undefined)
    throw new TypeError(
      `Release "${release}": "${name}" has no publish, so there is nothing to release; declare it outside`,
    );
  return { ...args, publish: mapValue(publish, (place) => ({ ...(place as object), release })) };
}

export function isInRelease(): boolean {
  return pagesOf !== undefined;
}

export function withFollowing(options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  if (!following) return options;
  const { dependsOn } = options;
  const release = following;
  return { ...options, dependsOn: pulumi.output(dependsOn ?? []).apply((given) => [given, release].flat()) };
}

export function joinRelease(resource: pulumi.CustomResource): void {
  pagesOf?.members.push(resource);
}

export function gatheredInputs({ gathers }: AnyDefinition, members: readonly pulumi.CustomResource[]): pulumi.Inputs {
  // A preview publishes nothing that stays the base's.
  const own = members.filter((one) => !isStandIn(one));
  const ids = own.map(({ id }) => id);
  // Drafts are apart from the ids: a secret of the one must not make a secret of the other.
  return gathers?.filledIn(ids, draftsOf(own)) ?? {};
}

/** Returns the drafts of pages: all known or none. For a list of unknowns in a saved plan, Pulumi takes no secret list (3.245, 2026-11-22). */
export function draftsOf(pages: readonly pulumi.CustomResource[]): pulumi.Output<string[]> {
  return pulumi.all(pages.map((page) => pulumi.output(draftOrNone(page)).apply((draft) => draft ?? "")));
}

/**
 * Returns a page's draft, or none. A preview takes a missing output for one that is not known yet. A page that was adopted, or that came
 * into the release as it is, has no draft. If the rest of its state is known, the missing draft is known, too.
 */
async function draftOrNone(page: pulumi.CustomResource): Promise<pulumi.Output<string | undefined> | undefined> {
  const { gathered } = definitionOf(Reflect.get(page, "__pulumiType") as string) ?? {};
  if (gathered === undefined) return undefined;
  const [draft, told] = [gathered.draft, gathered.toldByState].map(
    (name) => Reflect.get(page, name) as pulumi.Output<string> | undefined,
  );
  if (draft === undefined || told === undefined || (await wholeOf(draft).isKnown)) return draft;
  return (await wholeOf(told).isKnown) ? undefined : draft;
}

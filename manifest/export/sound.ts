/** Of what an account holds, what could be declared. Pure. */
import type { CheckFailure } from "../../provider/messages/problems.ts";
import { problemText } from "../../provider/messages/wording.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { checkInputs, Claims, conflictingClaims } from "../../provider/reconcile/check.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { addressOf, type Note, plain, type Resource, tellingInputs } from "../match/model.ts";

/**
 * Leaves out what the provider's own checks refuse, with the reason as a note: an account may hold what nobody could
 * declare (two pages at one path: the one published last is at it). A copy keeps it, for somebody to correct.
 */
export function sound(
  resources: readonly Resource[],
  found: readonly { readonly publishedAt?: string | undefined }[],
  asNew: boolean,
): Resource[] {
  const claims = new Claims();
  const results = new Map<Resource, Resource>();
  const published = new Map(resources.map((resource, index) => [resource, found[index]?.publishedAt ?? ""]));
  const newestFirst = [...resources].sort((a, b) => ((published.get(a) ?? "") < (published.get(b) ?? "") ? 1 : -1));
  for (const resource of newestFirst) results.set(resource, soundOne(resource, claims, asNew));
  return resources.map((resource) => results.get(resource) ?? resource);
}

function soundOne(resource: Resource, claims: Claims, asNew: boolean): Resource {
  const definition = registry[resource.kind];
  const inputs = asProvider(resource);
  const failures = checkInputs(definition, inputs);
  const conflicts: CheckFailure[] =
    failures.length > 0 ? [] : conflictingClaims(definition, inputs, addressOf(resource), claims);
  return [...failures, ...conflicts].reduce(
    (result, failure) => withoutRefused(result, failure, asNew && !conflicts.includes(failure)),
    resource,
  );
}

function withoutRefused(resource: Resource, failure: CheckFailure, keep: boolean): Resource {
  const field = String(failure.path[0] ?? "");
  const { [field]: refused, ...rest } = resource.inputs;
  if (keep && resource.notes.some((note) => note.field === field)) return resource;
  const shown = refused === undefined || keep ? "" : ` (${JSON.stringify(plain(refused)).slice(0, 200)})`;
  const note: Note = { field, text: `${problemText(failure)}${shown}` };
  return { ...resource, inputs: keep ? resource.inputs : rest, notes: [...resource.notes, note] };
}

/** The inputs as the provider gets them, an address standing for each id. */
function asProvider(resource: Resource): JsonMap {
  const inputs: JsonMap = Object.fromEntries(tellingInputs(resource).map(([field, value]) => [field, plain(value)]));
  if (registry[resource.kind].named) inputs["name"] = resource.name ?? resource.key;
  if (resource.id !== undefined) inputs["adoptId"] = resource.id;
  return inputs;
}

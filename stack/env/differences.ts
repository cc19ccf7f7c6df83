/**
 * Compares an environment with its base by the declarations of both programs. Prefixes, ids and addresses first get the same form, so that
 * a branch that changes nothing differs in nothing. Secrets are never told. Pure.
 */
import { type Json, nameOf, type PropertyPath, SECRET_SIG, SIG_KEY } from "../../engine/index.ts";
import {
  canonical,
  type MarkOf,
  marksOnOneSite,
  type Moved,
  movesOf,
  normalPath,
  type TextPlace,
  UNMARKED,
} from "../../provider/preview/addresses.ts";
import { baseObjects, type StoredResource } from "../../provider/preview/base.ts";
import { urnInStack } from "../../provider/preview/facts.ts";
import { previewSlug } from "../../provider/definition/in-preview.ts";
import { rootIn } from "../../provider/values/addresses.ts";
import { isMap, same } from "../../provider/values/json.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { byName } from "./list.ts";
import type { EnvironmentRecord } from "./record.ts";
import { type Difference, type DifferentField, SECRET } from "../report/model.ts";

/** Inputs that say where an object comes from or belongs, not what it shows. */
const BESIDE = new Set(["adoptId", "templateId", "duplicateOf", "siteId", "projectId", "__identity", "__provider"]);

export function differencesToBase(
  base: readonly StoredResource[],
  preview: readonly StoredResource[],
  environment: EnvironmentRecord,
): Difference[] {
  const [theirs, ours] = [comparable(base), comparable(preview)];
  const canon = canonicalTexts(base, preview, environment);
  const keys = [...new Set([...theirs.keys(), ...ours.keys()])];
  const differences = keys.flatMap((key) => differenceOf(theirs.get(key), ours.get(key), canon) ?? []);
  return differences.sort(byName);
}

interface Canon {
  /** Brings a value to the common form, one function for the base and one for the preview. */
  readonly base: (value: unknown, path: PropertyPath, of: StoredResource) => Json | undefined;
  readonly preview: (value: unknown, path: PropertyPath, of: StoredResource) => Json | undefined;
  /** Tells if a value of the preview has an address of its pages. */
  readonly points: (value: unknown, of: StoredResource) => boolean;
}

/** The resources that visitors meet, by URN without the stack. */
function comparable(resources: readonly StoredResource[]): Map<string, StoredResource> {
  return new Map(
    resources.flatMap((resource) => {
      const definition = definitionOf(resource.type);
      const counts = definition?.inPreview.becomes === "made" && definition.gathers === undefined;
      return counts && resource.delete !== true && resource.id !== undefined
        ? [[urnInStack(resource.urn), resource]]
        : [];
    }),
  );
}

function differenceOf(
  theirs: StoredResource | undefined,
  ours: StoredResource | undefined,
  canon: Canon,
): Difference | undefined {
  const fields = theirs && ours ? fieldsBetween(theirs, ours, canon) : [];
  const either = ours ?? theirs;
  if (either === undefined || (theirs && ours && fields.length === 0)) return undefined;
  const [url, baseUrl] = [addressOf(ours), addressOf(theirs)];
  return {
    type: definitionOf(either.type)?.type ?? either.type,
    name: nameOf(either.urn),
    kind: !theirs ? "added" : !ours ? "removed" : "changed",
    url,
    baseUrl,
    fields,
  };
}

function addressOf(resource: StoredResource | undefined): string | undefined {
  const { url, status } = resource?.outputs ?? {};
  return typeof url === "string" && status === "published" ? url : undefined;
}

function fieldsBetween(theirs: StoredResource, ours: StoredResource, canon: Canon): DifferentField[] {
  const names = new Set([...Object.keys(theirs.inputs ?? {}), ...Object.keys(ours.inputs ?? {})]);
  // A stand-in for a value that no read shows says nothing about the value.
  for (const name of Object.keys(standInsFor(theirs))) names.delete(name);
  return [...names]
    .filter((name) => !BESIDE.has(name))
    .flatMap((name) => {
      const perKey = definitionOf(ours.type)?.rule(name).perKey === true;
      const [base, preview] = [theirs.inputs?.[name], ours.inputs?.[name]];
      if (!perKey || (base !== undefined && !isMap(base)) || (preview !== undefined && !isMap(preview)))
        return fieldOf([name], { theirs, base }, { ours, preview }, canon);
      const keys = new Set([...Object.keys(base ?? {}), ...Object.keys(preview ?? {})]);
      return [...keys].flatMap((key) => {
        // A copy brings its texts along. The texts that it declares anew only point elsewhere.
        const isBrought =
          base?.[key] === undefined && ours.inputs?.["duplicateOf"] === theirs.id && canon.points(preview?.[key], ours);
        return isBrought
          ? []
          : fieldOf([name, key], { theirs, base: base?.[key] }, { ours, preview: preview?.[key] }, canon);
      });
    });
}

function standInsFor({ type, inputs = {} }: StoredResource): object {
  return inputs["adoptId"] === undefined ? {} : (definitionOf(type)?.inPreview.anew?.(inputs) ?? {});
}

function fieldOf(
  path: PropertyPath,
  there: { theirs: StoredResource; base: unknown },
  here: { ours: StoredResource; preview: unknown },
  canon: Canon,
): DifferentField[] {
  const [base, preview] = [canon.base(there.base, path, there.theirs), canon.preview(here.preview, path, here.ours)];
  if (same(base, preview)) return [];
  return [{ path, base, preview }];
}

/** Brings texts to one form: the base's names, paths, ids and addresses. */
function canonicalTexts(
  base: readonly StoredResource[],
  preview: readonly StoredResource[],
  environment: EnvironmentRecord,
): Canon {
  const moves = movesBetween(base, preview, environment);
  const ids = idsOf(base, preview);
  const { prefix, slugStyle } = environment;
  const mark = markIn(base, environment);
  const placed = (said: unknown, { urn }: StoredResource): string => {
    const slug = typeof said === "string" ? said : undefined;
    return previewSlug(prefix, slug, slugStyle, mark(urnInStack(urn), slug));
  };
  const plain = (value: unknown, path: PropertyPath, { outputs = {} }: StoredResource): Json | undefined => {
    const { siteId } = outputs;
    return normal(value, moves, ids, {
      key: String(path.at(-1)),
      ...(typeof siteId === "string" && { siteId }),
    });
  };
  const isDraft = (path: PropertyPath): boolean => environment.drafts && path[0] === "publish";
  return {
    points: (value, of) => !same(plain(value, ["url"], of), value),
    base: (value, path, of) => {
      if (isDraft(path)) return undefined;
      if (path[0] === "publish" && isMap(value))
        return plain({ ...value, siteId: "", slug: placed(value["slug"], of) }, path, of);
      return path[0] === "name" && typeof value === "string" ? `${prefix} ${value}` : plain(value, path, of);
    },
    preview: (value, path, of) => {
      if (isDraft(path)) return undefined;
      if (path[0] === "publish" && isMap(value)) return plain({ ...value, siteId: "" }, path, of);
      return plain(value, path, of);
    },
  };
}

/** Returns the mark that the preview's run used. */
function markIn(base: readonly StoredResource[], { site }: EnvironmentRecord): MarkOf {
  return site === undefined ? UNMARKED : marksOnOneSite(baseObjects(base));
}

/** Maps each page of the base to its place in the preview: the path in the program, and the public one. */
function movesBetween(
  base: readonly StoredResource[],
  preview: readonly StoredResource[],
  environment: EnvironmentRecord,
): Moved[] {
  const { prefix, slugStyle, site } = environment;
  const [theirs, here] = [baseObjects(base), baseObjects(preview)];
  const root = Object.values(here).flatMap(({ url, slug }) =>
    url === undefined ? [] : (rootIn(url, slug ?? "") ?? []),
  )[0];
  const host = site && { ...site, ...(root !== undefined && { root }) };
  const written = movesOf(theirs, { prefix, slugStyle, host, mark: markIn(base, environment) });
  const actual = Object.entries(theirs).flatMap(([key, { url, siteId }]) => {
    const from = url === undefined ? null : URL.parse(url);
    const { url: to, siteId: toSiteId } = here[key] ?? {};
    if (!from || to === undefined) return [];
    const path = normalPath(from.pathname);
    return [{ from: { host: from.host.toLowerCase(), path, siteId }, to, toSiteId }];
  });
  return [...written, ...actual];
}

function idsOf(base: readonly StoredResource[], preview: readonly StoredResource[]): ReadonlyMap<string, string> {
  const theirs = new Map(base.flatMap(({ urn, id }) => (id === undefined ? [] : [[urnInStack(urn), id] as const])));
  return new Map(
    preview.flatMap(({ urn, id }) => {
      const their = theirs.get(urnInStack(urn));
      return id === undefined || their === undefined ? [] : [[id, their] as const];
    }),
  );
}

function normal(
  value: unknown,
  moves: readonly Moved[],
  ids: ReadonlyMap<string, string>,
  place: TextPlace,
): Json | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return ids.get(value) ?? canonical(value, moves, place);
  if (Array.isArray(value)) return value.map((item) => normal(item, moves, ids, place) ?? null);
  if (!isMap(value)) return value as Json;
  if (value[SIG_KEY] === SECRET_SIG) return SECRET;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, normal(item, moves, ids, { ...place, key: name }) ?? null]),
  );
}

/** Things that are published beside each other: the same path, or the same title, twice on one site. */
import { normalSlug } from "../../../provider/values/addresses.ts";
import { spotOf } from "../../declare/faults.ts";
import { Deferred, type Entry, type Spot, targetOf, type Tree } from "../../declare/model.ts";
import { locate } from "../../source/parse.ts";
import { defineRule, type Finding, mapIn, type Subject } from "../subject.ts";

interface Published {
  readonly entry: Entry;
  readonly where: string;
  readonly slug: string;
}

export const duplicateSlug = defineRule({
  id: "duplicate-slug",
  about: "Two addresses are the same, although the code names the site in two ways.",
  level: "error",
  *check(subject) {
    const at = ({ entry }: Published): Spot => spotOf(entry, ["publish", "slug"]);
    yield* twice(
      publishedIn(subject),
      ({ where, slug }) => `${where}/${slug}`,
      at,
      (one, first) => {
        const address = one.slug === "" ? "the root" : `"${one.slug}"`;
        return `${one.entry.address} and ${first.entry.address} are both at ${address} of the same site`;
      },
    );
  },
});

export const duplicateTitle = defineRule({
  id: "duplicate-title",
  about: "Two pages of one site have the same title.",
  level: "warning",
  *check(subject) {
    const titled = publishedIn(subject).filter(({ entry }) => titleOf(entry) !== undefined);
    const at = ({ entry }: Published): Spot => spotOf(entry, ["name"]);
    const key = ({ where, entry }: Published): string => JSON.stringify([where, titleOf(entry)?.trim().toLowerCase()]);
    yield* twice(titled, key, at, (one, first) => {
      return `${one.entry.address} has the same title as ${first.entry.address}: "${titleOf(one.entry) ?? ""}"`;
    });
  },
});

function* twice(
  all: readonly Published[],
  key: (one: Published) => string,
  at: (one: Published) => Spot,
  message: (one: Published, first: Published) => string,
): Generator<Finding> {
  const seen = new Map<string, Published>();
  for (const one of all) {
    const first = seen.get(key(one));
    if (first === undefined) {
      seen.set(key(one), one);
      continue;
    }
    const { place } = at(first);
    const related = [{ place, message: `${first.entry.address} is here` }];
    yield { at: at(one), message: `${message(one, first)} (${locate(place)})`, related };
  }
}

function publishedIn({ manifest, entries }: Subject): Published[] {
  // The entries in the order of the file, so that the rule reports the second one.
  const order = manifest.files.map(({ path }) => path);
  const asWritten = [...manifest.entries].sort(
    ({ place: a }, { place: b }) => order.indexOf(a.file.path) - order.indexOf(b.file.path) || a.start - b.start,
  );
  return asWritten.flatMap((entry) => {
    const { publish } = entry.inputs;
    if (publish === undefined) return [];
    const { siteId, slug = "" } = mapIn(publish);
    const where = placeOf(siteId, entries);
    if (where === undefined || typeof slug !== "string") return [];
    return [{ entry, where: `${entry.account ?? ""}/${where}`, slug: normalSlug(slug) }];
  });
}

/** Returns one word for a site, whether the entry names it by key, by id or by name. */
function placeOf(tree: Tree | undefined, entries: Subject["entries"]): string | undefined {
  if (typeof tree === "string") return `id ${tree}`;
  const isLookup = tree instanceof Deferred && tree.origin.from === "lookup";
  const { adoptId, name } = isLookup ? { name: tree.origin.name } : (entries.get(targetOf(tree) ?? "")?.inputs ?? {});
  if (typeof adoptId === "string") return `id ${adoptId}`;
  return typeof name === "string" ? `name ${name}` : undefined;
}

function titleOf({ inputs: { name } }: Entry): string | undefined {
  return typeof name === "string" ? name : undefined;
}

/** Names of pages that end a visitor's way. */
const END = /^thank[\s_-]?you$/i;

export const unreachableStep = defineRule({
  id: "unreachable-step",
  about: "A step of a funnel that no visitor reaches: its page is not published, or the funnel ends before it.",
  level: "error",
  *check(subject) {
    for (const entry of subject.manifest.entries) {
      if (entry.definition.public !== "flow") continue;
      const { steps } = entry.inputs;
      if (Array.isArray(steps)) yield* inFlow(entry, steps, subject);
    }
  },
});

function* inFlow(entry: Entry, steps: readonly Tree[], { entries }: Subject): Generator<Finding> {
  let end: Spot | undefined;
  for (const [index, step] of steps.entries()) {
    const at = spotOf(entry, ["steps", index]);
    if (end !== undefined) {
      yield {
        at,
        message: `${at.path} comes after ${end.path}, a thank-you page, where visitors have arrived`,
        related: [{ place: end.place, message: "the funnel ends here" }],
      };
    }
    const { pageId, pageType } = mapIn(step);
    const target = entries.get(targetOf(pageId) ?? "");
    if (target !== undefined && isDraft(target)) {
      yield {
        at,
        message: `${at.path} leads to ${target.address}, which is not published`,
        hint: `Give ${target.address} a publish, or take the step out.`,
        related: [{ place: target.place, message: `${target.address} is declared here` }],
      };
    }
    if (typeof pageType === "string" && END.test(pageType)) end ??= at;
  }
}

/** A person may have published an adopted page by hand. */
function isDraft({ inputs: { publish, adoptId }, definition }: Entry): boolean {
  return "publish" in definition.inputs.shape && publish === undefined && adoptId === undefined;
}

/** Inputs and outputs that pages and quizzes share, with the rules that hold over several of them. */
import { z } from "zod";
import type { Claim } from "../../../definition/define.ts";
import type { Known } from "../../../definition/steady.ts";
import type { FieldRule } from "../../../definition/field-rule.ts";
import { idOf } from "../../../definition/schema-walk.ts";
import { displayName, out, timestamps } from "../../fields.ts";
import { isPassingPlace } from "./places.ts";
import { hasShipped } from "./readings.ts";
import { isToBePublic } from "./released.ts";
import { changedKeys } from "../../../reconcile/diff.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { normalSlug, rootIn } from "../../../values/addresses.ts";
import { isMap, mapOf, same, text, type Json, type JsonMap } from "../../../values/json.ts";
import { hasUnknown } from "../../../values/paths.ts";
import { brokenRule, type CheckFailure } from "../../../values/problems.ts";
import { placeholdersIn } from "../../../values/placeholders.ts";

/** Null is no text: a text that somebody left out would be taken off the page. */
const someJson = z.json().refine((value) => value !== null);

const nodeStyle = z.record(z.string(), z.json());

const nodePatch = z.strictObject({
  misc: z.record(z.string(), z.json()).optional().describe("Properties of the node to set; others are left alone."),
  style: nodeStyle.optional().describe("Style properties of the node to set; others are left alone."),
  nodeType: z.string().optional().describe("Type of the node, as a hint to the builder."),
});

const nodeReplacement = z.strictObject({
  node: z.record(z.string(), z.json()).describe("The complete node that takes the place of this one."),
});

const pageInputs = {
  name: displayName.describe("Display name. Default: the resource's logical name."),
  projectId: idOf("project").optional().describe("Project of the page."),
  templateId: idOf("template").optional().describe("Template that the page is made from. A change replaces the page."),
  siteId: idOf("site")
    .optional()
    .describe("Site that the draft is attached to, for pages made from a template. A change replaces the page."),
  content: z
    .record(z.string().min(1), someJson)
    .optional()
    .describe("Content keys and their values. Landform leaves undeclared keys alone."),
  variables: z
    .record(z.string().min(1), z.string())
    .optional()
    .describe("Values for the page's {{placeholders}}. A changed value renders the texts again."),
  tags: z.array(z.string()).optional().describe("Tag names."),
  productLabel: z.string().optional().describe("Product label of the page."),
  delay: z
    .strictObject({
      time: z.number().min(0).optional().describe("Seconds after which hidden sections are revealed."),
      syncWithVideo: z.boolean().optional().describe("Count the time of the video instead of the clock."),
      scrollIntoView: z.boolean().optional().describe("Scroll to the revealed section."),
      videoNodeId: z.string().optional().describe("Builder node of the video."),
    })
    .optional()
    .describe("Reveal delay."),
  nodes: z
    .record(z.string().min(1), z.union([nodePatch, nodeReplacement]))
    .optional()
    .describe("Builder nodes to change, by node id: a patch of misc and style, or a whole replacement under `node`."),
  publish: z
    .strictObject({
      siteId: idOf("site").describe("Site that the page is published on. A change replaces the page."),
      slug: z.string().optional().describe("Path on the site; leave out or empty for the root."),
      verify: z
        .boolean()
        .optional()
        .describe("After each publication, read the public page until it shows the changed texts. Changes nothing."),
      release: z
        .string()
        .min(1)
        .optional()
        .describe("The release that publishes the page. The release fills this in itself."),
    })
    .optional()
    .describe("Publishes the page. The API can't unpublish."),
  onForeignEdits: z
    .enum(["hold", "include"])
    .optional()
    .describe(
      "Decides about foreign edits in the draft of the published page. `hold` (the default) keeps the page back until " +
        "somebody publishes or undoes them. `include` publishes them too.",
    ),
};

/** `kind`: an object is copied from one of its own kind. */
export function inputsOf(kind: "page" | "quiz") {
  const doc = `${kind === "page" ? "Page" : "Quiz"} that this one is a copy of. A change replaces the ${kind}.`;
  return z.strictObject({ ...pageInputs, duplicateOf: idOf(kind).optional().describe(doc) });
}

export const pageOutputs = {
  name: out.text("Display name, with the site in parentheses when the page is on a site."),
  pageName: out.text("Name without the site."),
  status: out.text("published or draft."),
  isQuiz: out.flag("True when the page is a quiz."),
  projectId: out.nullable("Project of the page."),
  siteId: out.nullable("Site that the page is attached to."),
  siteName: out.nullable("Name of that site."),
  domain: out.nullable("Domain that the page is published on."),
  slug: out.nullable("Path on the site; empty means the root."),
  url: out.nullable("Public URL, once published."),
  editUrl: out.text("Link to the page in the builder."),
  publishedAt: out.nullable("When it was last published, ISO-8601."),
  hasUnpublishedChanges: out.flag("True when the page was edited after it was last published."),
  ...timestamps,
};

/** The display name has the site in parentheses, and the URL its domain. */
const ofSite = { siteName: ["name", "siteName"], domain: ["domain", "url"], url: ["url"] };

/** The outputs that show the place of a page. It stays, whatever else is changed. */
const PLACED = ["siteId", "siteName", "domain", "slug", "url", "status"];
const ofPlace = ["publish", "siteId", "adoptId"];

export const pageShown = {
  // No record shows it.
  beside: ["hasUnpublishedChanges"] as const,
  repeats: {
    name: ["pageName"],
    // Texts show the values of variables.
    variables: ["content"],
    "publish.siteId": ["siteId"],
    "publish.slug": ["slug", "url"],
  },
  ofOthers: { siteId: ofSite, publish: ofSite },
  steady: {
    ...{ isQuiz: [], editUrl: [], createdAt: [] },
    ...Object.fromEntries(PLACED.map((output) => [output, ofPlace])),
  },
  follows: pageFollows,
  movedByRelease: ["name", ...PLACED, "publishedAt", "updatedAt", "hasUnpublishedChanges"],
  hasPublished: hasShipped,
};

const PLAIN_SLUG = /^[a-z0-9]+(?:[-/][a-z0-9]+)*$/;

/**
 * A page comes to its site's address with its slug. Services leave a plain slug as it is; the rest is theirs to tell. The outputs of a page
 * in a release show its future address as soon as it is written, and the rest once it is public.
 */
function pageFollows(output: string, now: JsonMap, { before, roots }: Known): Json | undefined {
  const to = placeIn(now["publish"]);
  if (to === undefined) return undefined;
  const released = "release" in mapOf(now["publish"]);
  const isKnownSlug = released || PLAIN_SLUG.test(to.slug);
  const addressOn = (root = roots[to.siteId]): string | undefined =>
    root === undefined || !isKnownSlug ? undefined : root + normalSlug(to.slug);
  // Nobody looked yet where an object is that is taken over.
  if (before === undefined) return output === "url" && now["adoptId"] === undefined ? addressOn() : undefined;
  const { inputs, outputs } = before;
  const from = placeIn(inputs["publish"]);
  if (inputs["siteId"] !== now["siteId"] || (from && from.siteId !== to.siteId)) return undefined;
  if (output === "url") {
    if (from && same(from, to)) return outputs["url"] ?? addressOn();
    return addressOn(from && typeof outputs["url"] === "string" ? rootIn(outputs["url"], from.slug) : undefined);
  }
  if (outputs["status"] !== "published") return undefined;
  if (output !== "slug" || same(from, to)) return outputs[output];
  return released || !isKnownSlug ? undefined : to.slug;
}

function placeIn(publish: Json | undefined): { siteId: string; slug: string } | undefined {
  const { siteId, slug = "" } = mapOf(publish);
  return typeof siteId === "string" && typeof slug === "string" ? { siteId, slug } : undefined;
}

export const pageRules = {
  name: { shownValue: (answer) => answer["pageName"], shownBy: ["pageName"], stays: true },
  projectId: { stays: true },
  delay: { stays: true },
  templateId: {
    onChange: "replace",
    removalRefused:
      "the page was made from it and can't be made blank again. Declare it again, or declare a new page under another logical name",
  },
  variables: { perKey: true, stays: true },
  tags: { cleared: [] },
  productLabel: { cleared: "" },
  siteId: { onChange: "replace" },
  content: { shownValue: (answer) => answer["content"], perKey: true, stays: true },
  nodes: {
    shownValue: (answer) => answer["nodes"],
    perKey: true,
    stays: true,
    // A patch is merged; a whole replacement stands for all that the node is.
    merges: (value) => isMap(value) && !("node" in value),
  },
  publish: {
    shownValue: livePublish,
    shownBy: ["status", "siteId", "slug"],
    carries: ["url", "domain"],
    removalReplaces: true,
    missingIsDrift: isToBePublic,
    isPassing: isPassingPlace,
    changeDoc: "publish again; a new site replaces",
  },
  onForeignEdits: { onChange: "none" },
} satisfies Record<string, FieldRule>;

function livePublish(answer: JsonMap, declared: Json): Json | undefined {
  if (answer["status"] === undefined) return undefined;
  if (answer["status"] !== "published") return null;
  const [siteId, shown] = [answer["siteId"] ?? null, answer["slug"] ?? ""];
  const { slug: wanted, ...asked } = isMap(declared) ? declared : { slug: shown };
  // The service's spelling of a path moves nothing. The page itself never saw what a release has published.
  const isSame = typeof wanted === "string" && typeof shown === "string" && normalSlug(wanted) === normalSlug(shown);
  const slug = isSame ? wanted : shown;
  const rootLeftOut = slug === "" && wanted === undefined;
  return { ...asked, siteId, ...(!rootLeftOut && { slug }) };
}

export function checkPage(
  { templateId, duplicateOf, siteId, publish, variables }: JsonMap,
  known: (value: unknown) => boolean,
): CheckFailure[] {
  const { siteId: target, slug } = mapOf(publish);
  const given = (...values: unknown[]): boolean => values.every((value) => value !== undefined && known(value));
  const fault = typeof slug === "string" && known(slug) ? slugFault(slug) : undefined;
  const failures = [
    given(templateId, duplicateOf) &&
      brokenRule(["duplicateOf"], "one-origin", "a page is made from a template or from another page, not from both"),
    given(duplicateOf, siteId) && brokenRule(["siteId"], "attached-by-publishing", attachedLater("a copy")),
    given(siteId, target) &&
      siteId !== target &&
      brokenRule(
        ["publish", "siteId"],
        "one-site",
        `the page is attached to site ${text(siteId)} (siteId), so it can't be published on another`,
      ),
    fault !== undefined && brokenRule(["publish", "slug"], "slug", `"${text(slug)}" has ${fault}`),
  ];
  return [...failures.filter((failure) => failure !== false), ...placeholdersInValues(variables)];
}

export function attachedLater(page: string): string {
  return `the API attaches ${page} to a site only when it is published; use publish.siteId`;
}

/** Returns the reason why no browser can ask a site for this slug. */
function slugFault(slug: string): string | undefined {
  if (/[\s?#]/.test(slug)) return 'a space, "?" or "#", which can\'t be part of a path';
  const isTakenOut = slug.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
  return isTakenOut ? '"." or ".." between slashes, which browsers take out of a path' : undefined;
}

/** Refuses placeholders in values. A value is put in as it is, so its placeholder would stand on the page for good. */
function placeholdersInValues(variables: Json | undefined): CheckFailure[] {
  return Object.entries(mapOf(variables)).flatMap(([name, value]) => {
    const [placeholder] = placeholdersIn(value);
    if (placeholder === undefined) return [];
    const why = `holds {{${placeholder}}}, and a value is put in as it is: write the text itself`;
    return [brokenRule(["variables", name], "placeholder-in-value", why, true)];
  });
}

/** Tells why an adopted page can't be made anew: the API doesn't show its template, and without it a new page has none of its fields. */
export function pageLost({ templateId, duplicateOf }: JsonMap): string | undefined {
  if (templateId !== undefined || duplicateOf !== undefined) return undefined;
  return "it had been taken over, and the API doesn't show which template it was made from";
}

/** Two pages of a program can't have the same path on the same site. */
export function claimPath(inputs: JsonMap): Claim[] {
  const { publish } = inputs;
  if (!isMap(publish) || hasUnknown(publish)) return [];
  const [siteId, slug] = [text(publish["siteId"]), normalSlug(text(publish["slug"]))];
  const what = slug === "" ? `the root of site ${siteId}` : `the slug "${slug}" on site ${siteId}`;
  return [{ kind: "path", thing: `${siteId}/${slug}`, path: ["publish", "slug"], what }];
}

/** The API can't unpublish a page and can't move a published one. Both need a new page. */
export function diffPage(old: ObjectState, now: JsonMap): string[] {
  const blind = rendersBlind(old, now) ? ["variables"] : [];
  const [then, next] = [old.declared.get("publish"), now["publish"]];
  if (old.answer["status"] !== "published" || !isMap(then)) return blind;
  if (next === undefined) return [...blind, "publish"];
  if (!isMap(next) || hasUnknown(next)) return blind;
  return next["siteId"] === then["siteId"] ? blind : [...blind, "publish"];
}

/** Tells if a variable gets another value after a killed run lost the texts that held it. */
function rendersBlind({ notes, declared }: ObjectState, { variables }: JsonMap): boolean {
  const isBlind = notes["blind"] === true && !hasUnknown(variables);
  return isBlind && Object.keys(changedKeys(declared.get("variables"), variables)).length > 0;
}

/** Tells the parts of a report beside its changes, section by section: the parts that visitors see, the pointers to it, and the results. Pure. */
import type { Json } from "../engine/index.ts";
import { registry } from "../provider/kinds/registry.ts";
import { counted } from "../provider/values/wording.ts";
import { isSeen, outcomeText } from "../provider/seen/seen-live.ts";
import type { Impact, Report, Leaving, Mention, MentionsLook } from "../stack/report/model.ts";
import { nameText } from "../stack/report/text.ts";
import { pathText } from "../stack/report/values.ts";
import { ATTENTION, marked, SEEN, type Row, type Section } from "./model.ts";
import { movesOf } from "./summary.ts";
import { byDanger, funnelText, hasChanges, OPS, titleOf } from "../stack/report/words.ts";

export function sectionsOf(report: Report): Section[] {
  const { impact, outputs, published = [], seen = [], undeclared } = report;
  const named = Object.entries(outputs)
    .filter(([name]) => isOutputTold(report, name))
    .map(outputRow);
  const sections: Section[] = [
    ...(impact === undefined || !hasChanges(report) ? [] : touched(report, impact)),
    { id: "mentions", title: "Links to what moves or goes", ...mentionsOf(report), of: "plan" },
    {
      id: "published",
      title: "Published",
      rows: published.map((link) => ({ text: "", link })),
      ...{ of: "run", isSummary: true },
    },
    {
      id: "seen",
      title: "Seen live",
      rows: seen
        .filter(isSeen)
        .map((one) => ({ mark: SEEN, text: `${titleOf(one)}: ${outcomeText(one)}`, link: one.url })),
      of: "run",
    },
    { id: "undeclared", title: "In the account, and declared by nobody", ...undeclaredOf(undeclared) },
    { id: "outputs", title: outputsTitle(report), rows: named, of: "run" },
    ...(impact === undefined || !hasChanges(report) ? [] : scopesIn(impact)),
  ];
  return sections.filter(({ rows, notes = [] }) => rows.length + notes.length > 0);
}

/** A plan tells the outputs that change, and a drift none: they come from the code. */
function isOutputTold({ drift, changedOutputs }: Report, name: string): boolean {
  return drift === undefined && (changedOutputs?.includes(name) ?? true);
}

/** The most entries of an output that are shown. */
const MOST_ENTRIES = 5;

function outputRow([name, value]: [string, Json]): Row {
  const count = typeof value === "object" && value !== null ? Object.keys(value).length : 0;
  return count <= MOST_ENTRIES
    ? { text: nameText(name), value }
    : { text: nameText(name), state: `${count} values (npx landform output ${name})` };
}

function touched(report: Report, { urls, funnels }: Impact): Section[] {
  return [
    {
      id: "addresses",
      title: "Public addresses",
      notes: [
        ...(movesOf(urls).length === 0 ? [] : [MOVED]),
        ...(urls.some(({ effect }) => effect === "replace") ? [REPLACED] : []),
      ],
      rows: byDanger(urls, ({ effect }) => effect).map(({ url, on, page, effect }) => ({
        mark: marked(OPS[effect], "visitors"),
        text: on === undefined || !url.startsWith("/") ? nameText(page) : `${nameText(page)}, on site ${nameText(on)}`,
        link: url,
      })),
    },
    {
      id: "hands",
      title: "Addresses moving between pages (briefly unavailable)",
      rows: changingHands(report).map((link) => ({ text: "", link })),
    },
    {
      id: "funnels",
      title: "Funnels",
      rows: funnels.map((funnel) => ({
        text: nameText(funnel.name),
        state: funnelText(funnel),
        ...(funnel.steps && {
          steps: funnel.steps.map(({ pageType, to, op }) => ({
            title: to ?? "a new page",
            kind: pageType,
            mark: op && marked(OPS[op], "visitors"),
          })),
        }),
      })),
    },
  ].map((section) => ({ ...section, of: "plan" as const }));
}

const MOVED = "The old addresses answer 404 then. npx landform redirects writes redirects.";
const REPLACED =
  "A replaced page is a new one at its address. Visitors lose the texts of the old one that the code does not declare.";

function scopesIn({ scopes, unproven = [] }: Impact): Section[] {
  const isLine = true as const;
  const notes = unproven.length === 0 ? [] : ["up tests them before it creates anything that can't be deleted."];
  return [
    { id: "scopes", title: "Scopes the key needs:", rows: scopes.map(codeRow), isLine },
    { id: "unproven", title: "Not verified by reading:", rows: unproven.map(codeRow), notes, isLine },
  ].map((section) => ({ ...section, of: "plan" as const }));
}

/** Returns addresses that one page leaves and another takes in the same run. A refused plan moves nothing. */
function changingHands({ result, impact }: Pick<Report, "result" | "impact">): string[] {
  if (impact === undefined || result !== "succeeded") return [];
  const left = new Set(impact.urls.flatMap(({ url, effect }) => (effect === "delete" ? [url] : [])));
  return impact.urls.flatMap(({ url, effect }) => (effect === "create" && left.has(url) ? [url] : []));
}

function codeRow(code: string): Row {
  return { text: [{ code }] };
}

function mentionsOf(report: Report): Pick<Section, "rows" | "notes"> {
  return (report.leaving ?? []).length === 0 ? { rows: [] } : { rows: mentionRows(report), notes: lookedTexts(report) };
}

function outputsTitle({ result }: Report): string {
  return result === "succeeded" ? "Outputs" : `Outputs from before the ${result === "failed" ? "failure" : "stop"}`;
}

function undeclaredOf(found: Report["undeclared"]): Pick<Section, "rows" | "notes"> {
  if (found === undefined) return { rows: [] };
  if (found.length === 0) return { rows: [], notes: ["Everything that was looked at is declared."] };
  const rows = found.map(({ type, name, id, entry, files }): Row => ({
    text: `${type} ${JSON.stringify(name)}`,
    id,
    block: entry.trimEnd(),
    notes: Object.keys(files).map(
      (file) => `${file}: its text is in the JSON report, and npx landform export writes it`,
    ),
  }));
  return { rows, notes: ["Each with the entry that takes it over."] };
}

/** Tells departures with mentions one by one. The others are only counted. */
function mentionRows({ leaving = [] }: Pick<Report, "leaving">): Row[] {
  return leaving
    .filter(({ mentions }) => mentions.length > 0)
    .map((one) => ({ text: leavingTitle(one), rows: one.mentions.map(mentionRow) }));
}

function leavingTitle({ type, name, url, to, gone }: Leaving): string {
  const what = titleOf({ type, name });
  if (url === undefined) return gone === true ? `${what} goes` : what;
  if (to !== undefined) return `${url} → ${to} (${what})`;
  return gone === true ? `${url} goes away (${what})` : `${url} (${what})`;
}

function mentionRow({ kind, urn, type, name, id, path, text, editUrl }: Mention): Row {
  const place = `${titleOf({ type, name })} ${pathText(path)}`;
  const quoted = text === undefined || kind === "follows" ? "" : `: "${text.replaceAll(/\s+/g, " ")}"`;
  const whose =
    kind === "undeclared" ? ` (${[id, urn === undefined && "not this stack's"].filter(Boolean).join(", ")})` : "";
  const undeclared = kind === "undeclared" && urn !== undefined ? "; the code does not declare this key" : "";
  return {
    mark: kind === "follows" ? marked(OPS.update, "visitors") : ATTENTION,
    text: `${place}${whose} ${KINDS[kind]}${undeclared}${quoted}`,
    edit: kind === "undeclared" ? editUrl : undefined,
  };
}

const KINDS: Record<Mention["kind"], string> = {
  follows: "changes along",
  stays: "stays as the code says it",
  undeclared: "points there",
};

/** Says what was read and what was not. An object that could not be asked for never counts as absent. */
export function lookedTexts({ leaving = [], looked = [] }: Pick<Report, "leaving" | "looked">): string[] {
  const unmentioned = leaving.filter(({ mentions }) => mentions.length === 0).length;
  const read = looked.filter(({ read: count, failed }) => count > 0 || failed === undefined);
  const where = read.flatMap(({ what, read: count }) => (count === 0 ? [] : [counted(count, singularOf(what), what)]));
  const none = unmentioned === 0 ? "" : nothingFound(unmentioned, leaving.length, looked);
  const told = [none, where.length === 0 ? "" : `Landform looked at ${where.join(", ")}`]
    .filter((text) => text !== "")
    .join(". ");
  return [...(told === "" ? [] : [told]), ...looked.flatMap(unlooked)];
}

/** Looks name their kinds in the plural, as lists do. */
function singularOf(plural: string): string {
  return Object.values(registry).find(({ lookup }) => lookup.plural === plural)?.lookup.what ?? plural;
}

function nothingFound(unmentioned: number, all: number, looked: readonly MentionsLook[]): string {
  const which = unmentioned === all ? "" : ` to ${unmentioned} of ${all}`;
  const isWhole = looked.every((one) => one.left === 0 && one.failed === undefined && one.perhapsMore !== true);
  return `${isWhole ? "No links found" : "No links found so far"}${which}`;
}

function unlooked({ what, left, failed, perhapsMore }: MentionsLook): string[] {
  const subject = what === "" ? "the account" : what;
  return [
    ...(failed === undefined
      ? []
      : [`${subject} could not all be asked, so something there may point to it: ${failed}`]),
    ...(failed === undefined && left > 0
      ? [`not looked at: the texts of ${left} more ${left === 1 ? singularOf(what) : what}`]
      : []),
    ...(perhapsMore === true ? [`there may be more ${what} than the service listed`] : []),
  ];
}

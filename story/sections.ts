/** Tells the parts of a report beside its changes, section by section: the parts that visitors see, the pointers to it, and the results. Pure. */
import { landform } from "../provider/values/command-line.ts";
import type { Json } from "../engine/index.ts";
import { isSeen, outcomeText } from "../provider/seen/seen-live.ts";
import type { Change, Impact, Report } from "../stack/report/model.ts";
import { nameText } from "../stack/report/text.ts";
import { marked, SEEN, type Row, type Section } from "./model.ts";
import { movesOf } from "./summary.ts";
import { lostAddresses } from "../stack/report/addresses.ts";
import { byDanger, OPS, titleOf } from "../stack/report/words.ts";
import { funnelText } from "../stack/report/reasons.ts";
import { hasChanges } from "../stack/report/verdict.ts";

export function sectionsOf(report: Report): Section[] {
  const { outputs, published = [], seen = [] } = report;
  const impact = hasChanges(report) ? report.impact : undefined;
  const looks = seen.filter(isSeen);
  const sections: Section[] = [
    ...(impact === undefined ? [] : touched(report, impact)),
    { id: "published", title: "Published", rows: published.map(linkRow), of: "run", isSummary: true },
    {
      id: "seen",
      title: "Seen live",
      rows: looks.map((one) => ({ mark: SEEN, text: `${titleOf(one)}: ${outcomeText(one)}`, link: one.url })),
      of: "run",
    },
    {
      id: "outputs",
      title: outputsTitle(report),
      rows: Object.entries(outputs).flatMap((one) =>
        isOutputTold(report, one[0]) ? outputRow(one, report.stack) : [],
      ),
      of: "run",
    },
    ...(impact === undefined ? [] : [scopesIn(impact)]),
  ];
  return sections.filter(({ rows, notes = [] }) => rows.length + notes.length > 0);
}

function linkRow(link: string): Row {
  return { text: "", link };
}

/** A plan tells the outputs that change, and a drift none: they come from the code. */
function isOutputTold({ drift, changedOutputs }: Report, name: string): boolean {
  return drift === undefined && (changedOutputs?.includes(name) ?? true);
}

/** The most entries of an output that are shown. */
const MOST_ENTRIES = 5;

function outputRow([name, value]: [string, Json], stack: string): Row {
  const count = typeof value === "object" && value !== null ? Object.keys(value).length : 0;
  return count <= MOST_ENTRIES
    ? { text: nameText(name), value }
    : { text: nameText(name), state: `${count} values (${landform("output", name, "-s", stack)})` };
}

function touched(report: Report, { urls, funnels }: Impact): Section[] {
  const lost = lostAddresses(urls);
  return [
    {
      id: "addresses",
      title: "Public pages",
      notes: [
        ...(movesOf(urls).some(({ url }) => lost.has(url)) ? [MOVED] : []),
        ...(urls.some(({ mayMove }) => mayMove === true) ? [MAY_MOVE] : []),
        ...(urls.some(({ effect }) => effect === "replace") && report.changes.some(endsAnObject) ? [REPLACED] : []),
      ],
      rows: byDanger(withoutTaken(urls, lost), ({ effect }) => effect).map(({ url, on, page, effect, mayMove }) => ({
        mark: marked(OPS[effect], "visitors"),
        text: [
          nameText(page),
          ...(on === undefined || !url.startsWith("/") ? [] : [`on site ${nameText(on)}`]),
          ...(mayMove === true ? ["may move"] : []),
        ].join(", "),
        link: url,
      })),
    },
    {
      id: "hands",
      title: "Addresses that go to another page (briefly unavailable)",
      // A refused plan moves nothing.
      rows: (report.result === "succeeded" ? takenOver(urls) : []).map(({ url }) => linkRow(url)),
    },
    {
      id: "funnels",
      title: "Funnels",
      rows: funnels.map((funnel) => ({
        text: nameText(funnel.name),
        state: funnelText(funnel),
        steps: funnel.steps?.map(({ pageType, to, op }) => ({
          title: to ?? "a new page",
          kind: pageType,
          mark: op && marked(OPS[op], "visitors"),
        })),
      })),
    },
  ].map((section) => ({ ...section, of: "plan" as const }));
}

/** Tells if a replacement ends an object: the plan may take the old one over under another name, and then nobody loses anything. */
function endsAnObject({ op, reason }: Change): boolean {
  return op === "replace" && !(reason?.code === "adopts instead" && reason.takenBy !== undefined);
}

const MOVED = `Visitors of the old addresses then get "not found" (404). ${landform("redirects")} writes redirects.`;
const MAY_MOVE =
  'Only the run can tell the address of a page that may move. If the address changes, visitors of the old one get "not found" (404).';
const REPLACED =
  "A replaced page is a new one at its address. Visitors lose the texts of the old one that the code does not declare.";

/** A read can't prove that the key may write. An up tests that before it creates anything that can't be deleted. */
function scopesIn({ scopes, unproven = [] }: Impact): Section {
  const rows = [
    ...scopes.filter((scope) => !unproven.includes(scope)).map((code) => ({ text: [{ code }] })),
    ...unproven.map((code, index) => ({ text: [...(index === 0 ? ["not verified: "] : []), { code }] })),
  ];
  return { id: "scopes", title: "The API key needs these scopes", rows, isLine: true, of: "plan" };
}

/** Returns the addresses that one page leaves and another takes in the same run. */
function takenOver(urls: Impact["urls"]): Impact["urls"] {
  const left = new Set(urls.flatMap(({ url, effect }) => (effect === "delete" ? [url] : [])));
  return urls.filter(({ url, effect }) => effect === "create" && left.has(url));
}

/** Visitors don't lose an address that another page takes, and it is not new to them. */
function withoutTaken(urls: Impact["urls"], lost: ReadonlySet<string>): Impact["urls"] {
  const taken = takenOver(urls);
  const told = urls.filter(({ url, effect }) => effect !== "delete" || lost.has(url));
  return told.map((one) => (taken.includes(one) ? { ...one, effect: "update" } : one));
}

function outputsTitle({ result }: Report): string {
  return result === "succeeded" ? "Outputs" : `Outputs from before the ${result === "failed" ? "failure" : "stop"}`;
}

/**
 * The report for people who run no command: one file that asks nobody for anything, to be read on a phone, in the dark, by
 * keyboard and by ear. Pure.
 */
import { createHash } from "node:crypto";
import { editText } from "../../provider/messages/foreign-edits.ts";
import type { Impact, Report } from "../../stack/report/model.ts";
import { lookedTexts, leavingTexts } from "../leaving.ts";
import { outcomeText } from "../reasons.ts";
import { printableValue } from "../printable.ts";
import {
  AT_RISK,
  byDanger,
  totalsText,
  driftedText,
  engineText,
  hasChanges,
  isRefused,
  seconds,
  titleOf,
} from "../words.ts";
import { changeView, driftView, funnelViews, opWord } from "./changes.ts";
import type { Markup } from "./markup.ts";
import { markup, joined, linkTo } from "./markup.ts";
import { Marker, type Choices } from "./marks.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { hasWebImages } from "./values.ts";

/** So many are open from the start. */
const MOST_OPEN = 10;
/** Of more than these, a browser draws those that are looked at. */
const MOST_DRAWN = 100;

export function renderHtml(found: Report): string {
  const report = printableValue(found);
  const marker = new Marker(report);
  const changes = report.drift
    ? report.drift.map((one, index) => driftView(one, marker.of(one), index < MOST_OPEN))
    : byDanger(report.changes, ({ op }) => op).map((one, index) => changeView(one, marker.of(one), index < MOST_OPEN));
  const list = joined(changes);
  const images = hasWebImages(list);
  const title = `${HEADS[report.command]} ${report.project}/${report.stack}`;
  const body = markup`<a class="skip" href="#changes">Skip to the changes</a>
    <header>
      <h1>${title}</h1>
      <p class="lead">${verdict(report)}</p>
      <p class="faint">${[`landform ${report.command}`, engineText(report), seconds(report.durationMs)].join(" · ")}</p>
    </header>
    <main>
      ${alerts(report)}${addresses(report)}${mentions(report)}${funnelViews(report)}
      <section aria-labelledby="changes"${changes.length > MOST_DRAWN ? markup` class="many"` : undefined}>
        <h2 id="changes" tabindex="-1">${report.drift ? "What has drifted" : "Changes"}</h2>
        ${changes.length > 1 ? filters(marker.choices, report) : undefined}
        ${images ? markup`<p><button type="button" id="load-images" hidden>Load images from the web</button></p>` : undefined}
        ${changes.length === 0 ? markup`<p class="none">There are none.</p>` : list}
      </section>
    </main> `;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy(images)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark"><title>${markup`${title}`.text}</title><style>${STYLE}</style></head>
<body>${body.text}<script>${SCRIPT}</script></body></html>
`;
}

/** Nothing but what is in the file; images of the web only where there are some, and then on a click alone. */
function policy(images: boolean): string {
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(STYLE)}`,
    `script-src ${hash(SCRIPT)}`,
    `img-src data:${images ? " https: http:" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

const HEADS: Record<Report["command"], string> = {
  preview: "Plan for",
  up: "Changes to",
  refresh: "What has changed in",
  drift: "Drift of",
  destroy: "Destruction of",
  undo: "Undoing a run of",
};

function verdict(report: Report): string {
  const { result, drift } = report;
  const counts = totalsText(report);
  if (isRefused(report)) return `Refused: ${counts}`;
  if (result !== "succeeded") return `${result === "cancelled" ? "Stopped before its end" : "Failed"}: ${counts}`;
  if (drift !== undefined) return drift.length === 0 ? "No drift" : driftedText(drift.length);
  return hasChanges(report) ? counts : `No changes, ${counts}`;
}

function alerts(report: Report): Markup {
  const { failures, warnings, pending, impact, held = [], drafts = [], unmanaged = [], notes } = report;
  const alsoLive = (impact?.alsoLive ?? []).map(
    (one) =>
      markup`<b>Would also go live with ${titleOf(one)}</b> (${one.word}): ${one.edits.map(editText).join("\n")}`,
  );
  const alsoGoes = (impact?.alsoGoes ?? []).map(
    (one) => markup`<b>Also deleted in the draft of ${titleOf(one)}</b>: ${one.edits.map(editText).join("\n")}`,
  );
  const waiting = [
    ...held.map((one) => markup`${titleOf(one)} is held back: its draft holds edits of others`),
    ...drafts.map((one) => markup`${titleOf(one)} has a draft of others: ${one.edits.map(editText).join("; ")}`),
  ];
  const told = [
    ...failures.map(({ message, source }) => alert("failure", markup`${[source, message].filter(Boolean).join(": ")}`)),
    ...[...alsoLive, ...alsoGoes, ...waiting].map((text) => alert("warning", text)),
    ...warnings.map((text) => alert("warning", markup`${text}`)),
    ...pending.map((one) =>
      alert("note", markup`interrupted earlier: ${one.operation} ${one.urn}: ${outcomeText(one)}`),
    ),
    ...[...unmanaged, ...notes].map((text) => alert("note", markup`${text}`)),
  ];
  if (told.length === 0) return markup``;
  return markup`<section aria-labelledby="heed">
    <h2 id="heed">To heed</h2>
    ${joined(told)}
  </section>`;
}

function alert(kind: "failure" | "warning" | "note", text: Markup): Markup {
  return markup`<div class="alert ${kind}">${text}</div>`;
}

/** What visitors may lose is never folded away. */
function addresses({ impact, urls, command }: Report): Markup {
  const touched = byDanger(impact?.urls ?? [], ({ effect }) => effect);
  const atRisk = touched.filter(({ effect }) => AT_RISK.has(effect)).map(addressRow);
  const others = touched.filter(({ effect }) => !AT_RISK.has(effect)).map(addressRow);
  const published =
    command === "up" && touched.length === 0 ? urls.map((url) => markup`<li>${linkTo(url, markup`${url}`)}</li>`) : [];
  const lists = [list(atRisk), folded([...others, ...published])].filter(({ text }) => text !== "");
  if (lists.length === 0) return markup``;
  return markup`<section aria-labelledby="addresses">
    <h2 id="addresses">Public addresses</h2>
    <div class="card">${joined(lists)}</div>
  </section>`;
}

function addressRow({ url, page, effect }: Impact["urls"][number]): Markup {
  return markup`<li>
    <span class="badge ${effect}">${opWord(effect)}</span> ${linkTo(url, markup`${url}`)}
    <span class="faint">${page}</span>
  </li>`;
}

function list(rows: readonly Markup[]): Markup {
  if (rows.length === 0) return markup``;
  return markup`<ul class="plain">
    ${joined(rows)}
  </ul>`;
}

function folded(rows: readonly Markup[]): Markup {
  if (rows.length <= MOST_LISTED) return list(rows);
  return markup`<details>
    <summary>${rows.length} addresses</summary>
    ${list(rows)}
  </details>`;
}

const MOST_LISTED = 20;

function mentions(report: Report): Markup {
  if ((report.leaving ?? []).length === 0) return markup``;
  const cards = leavingTexts(report).map(({ title, mentions: found }) => {
    const items = found.map(({ text, link }) => {
      const edit =
        link === undefined ? undefined : markup` ${linkTo(link, markup`Edit<span class="vh">: ${text}</span>`)}`;
      return markup`<li>${text}${edit}</li>`;
    });
    return markup`<div class="card">
      <h3>${title}</h3>
      <ul>
        ${joined(items)}
      </ul>
    </div>`;
  });
  const looked = lookedTexts(report).map((text) => markup`<p class="faint">${text}</p>`);
  return markup`<section aria-labelledby="mentions">
    <h2 id="mentions">Points to what moves or goes</h2>
    ${joined(cards)}${joined(looked)}
  </section>`;
}

function filters({ kinds, sites, funnels }: Choices, { changes, drift }: Report): Markup {
  const ops = drift
    ? [...new Set(drift.map(({ kind }) => [kind, kind] as const))]
    : [...new Set(changes.map(({ op }) => op))].map((op) => [op, opWord(op)] as const);
  return markup`<form class="filters card" hidden aria-label="Filters">
    ${select(
      "kind",
      "Kind",
      kinds.map((kind) => [kind, kind]),
    )}${select("op", "What happens", [...new Map(ops)])}
    ${select("site", "Site", [...sites])}${select("funnel", "Funnel", [...funnels])}
    <label>Text<input type="search" name="text" autocomplete="off" /></label><button type="reset">Show all</button>
    <button type="button" id="open-all">Open all</button><button type="button" id="close-all">Close all</button>
    <p class="faint" id="shown" role="status">All ${(drift ?? changes).length} shown</p>
  </form>`;
}

function select(name: string, title: string, options: readonly (readonly [string, string])[]): Markup {
  if (options.length < (name === "funnel" ? 1 : 2)) return markup``;
  const choices = options.map(([value, text]) => markup`<option value="${value}">${text}</option>`);
  return markup`<label
    >${title}<select name="${name}">
      <option value="">all</option>
      ${joined(choices)}
    </select></label
  >`;
}

/** Prints a story as one file that asks no server for anything and can be read on a phone, in the dark, by keyboard and by ear. Pure. */
import { same } from "../../provider/values/json.ts";
import { createHash } from "node:crypto";
import { counted } from "../../provider/values/wording.ts";
import { commandLine } from "../../stack/advice/next-command.ts";
import { partsOf, plain } from "../model.ts";
import type { Finding, Row, RowMark, Section, Sentence, Story, Value } from "../model.ts";
import { joined, linkTo, markup, type Markup, sidesView, textOf } from "./values.ts";
import { STYLE } from "./page.ts";
import { PICTURE_SCRIPT, PICTURE_STYLE, picturesView } from "./pictures.ts";

/** The number of resources that are open from the start. */
const MOST_OPEN = 10;
/** If there are more rows, a browser draws only the visible ones. */
const MOST_DRAWN = 100;

export function printHtml(story: Story): string {
  const { title, verdict, facts, urgent, summary, findings, resources, sections, advice } = story;
  const list = joined(resources.rows.map((row, index) => resourceView(row, index < MOST_OPEN)));
  const isMany = resources.rows.length > MOST_DRAWN;
  const body = markup`<a class="skip" href="#changes">Skip to the changes</a>
    <header>
      <h1>${title}</h1>
      <p class="lead">${plain(verdict).replace(/^\p{Ll}/u, (first) => first.toUpperCase())}</p>
      <p class="faint">${facts.map(plain).join(" · ")}</p>
    </header>
    <main>
      ${findingsView("check", "Please check", urgent)}${joined(summary.map(sectionView))}
      ${findingsView("notes", "Warnings and notes", findings)}
      <section aria-labelledby="changes"${isMany ? markup` class="many"` : undefined}>
        <h2 id="changes" tabindex="-1">${resources.title}</h2>
        ${resources.rows.length === 0 ? markup`<p class="none">There are none.</p>` : list}
      </section>
      ${joined(sections.map(sectionView))}
      ${joined(advice.map((one) => markup`<p><code>${commandLine(one)}</code> ${one.reason}</p>`))}
    </main> `;
  const shows = summary.some(({ rows }) => rows.some((row) => (row.pictures ?? []).length > 0));
  const style = shows ? `${STYLE}\n${PICTURE_STYLE}` : STYLE;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy(style, shows)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark"><title>${markup`${title}`.text}</title><style>${style}</style></head>
<body>${body.text}${shows ? `<script>${PICTURE_SCRIPT}</script>` : ""}</body></html>
`;
}

/** Allows only the content of the file. A report without pictures has no script. */
function policy(style: string, shows: boolean): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(shows ? ["img-src data:", `script-src '${hashOf(PICTURE_SCRIPT)}'`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function findingsView(id: string, title: string, findings: readonly Finding[]): Markup {
  if (findings.length === 0) return markup``;
  const told = findings.map(({ weight, text, items = [], source, guide }) => {
    const place = source === undefined ? undefined : `${source}: `;
    const all = list(items.map((one) => markup`${one}`));
    const further = guide === undefined ? undefined : markup`<p>${guide}</p>`;
    return markup`<div class="alert ${weight}">${place}${text}${items.length === 0 ? "" : ":"}${all}${further}</div>`;
  });
  return sectionFrame(id, title, joined(told));
}

function sectionFrame(id: string, title: string, body: Markup): Markup {
  return markup`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;
}

function sectionView({ id, title, rows, notes = [], isLine }: Section): Markup {
  if (isLine === true) {
    const words = rows.map(({ text }) => inline(text));
    return markup`<section aria-label="${title}"><p><b>${title}:</b> ${joined(words, ", ")}</p></section>`;
  }
  const told = joined(notes.map((note) => markup`<p class="faint">${note}</p>`));
  if (rows.some((row) => row.steps ?? row.values ?? row.pictures))
    return sectionFrame(id, title, markup`${joined(rows.map(cardView))}${told}`);
  // Rows that may cost visitors something are never folded away.
  const atRisk = rows.filter(({ mark }) => mark?.loses === true).map(rowView);
  const others = rows.filter(({ mark }) => mark?.loses !== true).map(rowView);
  return sectionFrame(id, title, markup`<div class="card">${list(atRisk)}${folded(others)}</div>${told}`);
}

function rowView({ mark, text, id, link, value, notes = [] }: Row): Markup {
  const words = inline(text);
  const about = plain(text);
  const parts = [
    mark && badge(mark),
    link !== undefined && linkTo(link),
    about !== "" && (link === undefined ? words : faint(words)),
    value !== undefined && outputView(textOf(value)),
    id !== undefined && faint(id),
    ...notes.map(faint),
  ];
  return joined(parts, " ");
}

function faint(words: string | Markup): Markup {
  return markup`<span class="faint">${words}</span>`;
}

function outputView(text: string): Markup {
  return /^https?:\/\//.test(text) ? linkTo(text) : markup`<code>${text}</code>`;
}

function badge({ tone, word, sign }: RowMark, state = sign): Markup {
  return markup`<span class="badge ${tone}">${word ?? state}</span>`;
}

function cardView(row: Row): Markup {
  const { text, link, steps, values = [], notes = [], mark, id, state, pictures = [], fold } = row;
  const facts = [
    markup`<h3>${mark && badge(mark)} ${inline(text)}</h3>`,
    state !== undefined && faint(state),
    id !== undefined && faint(id),
    link !== undefined && linkTo(link),
    steps && (steps.length === 0 ? markup`<p class="none">no steps</p>` : flow(steps)),
    ...values.map(valueView),
    ...notes.map((note) => markup`<p class="faint">${note}</p>`),
    pictures.length > 0 && picturesView(plain(text), pictures, fold),
  ];
  return markup`<div class="card">${joined(facts)}</div>`;
}

function flow(steps: NonNullable<Row["steps"]>): Markup {
  const items = steps.map(({ title, kind, mark }) => {
    const what = mark && markup` <span class="note">(${mark.word})</span>`;
    return markup`<li>
      <span class="step${mark && " touched"}"><b>${title}</b><span class="faint">${kind}</span>${what}</span>
    </li>`;
  });
  return markup`<ol class="flow">${joined(items)}</ol>`;
}

function list(items: readonly Markup[]): Markup {
  if (items.length === 0) return markup``;
  return markup`<ul class="plain">${joined(items.map((item) => markup`<li>${item}</li>`))}</ul>`;
}

const MOST_LISTED = 20;

function folded(rows: readonly Markup[]): Markup {
  if (rows.length <= MOST_LISTED) return list(rows);
  return markup`<details>
    <summary>${rows.length} more</summary>
    ${list(rows)}
  </details>`;
}

function resourceView(row: Row, isOpen: boolean): Markup {
  const { mark, text, called, id, link, edit, state, notes = [], values = [], seen = [] } = row;
  const paths = new Set(seen.map(({ path }) => path));
  // The text that visitors see says more than the one with placeholders.
  const rest = values.filter(({ path }) => !paths.has(path));
  const changed = new Set([...values, ...seen].map(({ path }) => path)).size;
  const isNew = mark?.tone === "create" || changed === 0;
  const facts = [
    called === undefined ? undefined : plain(text),
    id,
    mark?.word === undefined ? undefined : state,
    isNew ? undefined : counted(changed, "field"),
  ];
  const name = called ?? plain(text);
  const aside = markup`<span class="vh"> (${name})</span>`;
  const links = joined([
    link !== undefined && linkTo(link, markup`Live page${aside}`),
    edit !== undefined && linkTo(edit, markup`Edit or preview in the builder${aside}`),
  ]);
  return markup`<details class="change"${isOpen ? markup` open` : undefined}>
    <summary>${mark && badge(mark, state)}
    <h3>${name}</h3>
    <span class="faint">${facts.filter((fact) => fact !== undefined).join(" · ")}</span></summary>
    <div>${links.text === "" ? undefined : markup`<p class="links">${links}</p>`}
    ${joined(notes.map((note) => markup`<p class="note">${note}</p>`))}
    ${seen.length === 0 ? undefined : seenView(seen)}${joined(rest.map(valueView))}</div>
  </details>`;
}

function seenView(seen: readonly Value[]): Markup {
  return markup`<div class="seen">
    <p class="note">As visitors see it, with the values of variables filled in</p>
    ${joined(seen.map(valueView))}
  </div>`;
}

/** Compares each side with the one before it, and shows only the first of equal sides. */
function valueView({ path, note, place, sides }: Value): Markup {
  const facts = [...(note === undefined ? [] : [note]), ...(place === undefined ? [] : [`written in ${place}`])];
  const about = facts.length === 0 ? undefined : markup` <span class="note">${facts.join(", ")}</span>`;
  const pairs = sides.flatMap((side, index) => {
    const before = sides[index - 1];
    if (before === undefined || same(before.value, side.value)) return [];
    const between = side.label === undefined ? undefined : markup`<p class="note">${before.label} → ${side.label}</p>`;
    return [markup`${between}${sidesView(before.value, side.value)}`];
  });
  const [first] = sides;
  const shown = pairs.length > 0 ? pairs : [sidesView(first?.value, first?.value)];
  return markup`<div class="field">
    <h4><code>${path}</code>${about}</h4>
    ${joined(shown)}
  </div>`;
}

function inline(sentence: Sentence): Markup {
  const parts = partsOf(sentence, {
    text: (words) => markup`${words}`,
    code: (words) => markup`<code>${words}</code>`,
    strong: (words) => markup`<b>${words}</b>`,
    link: (address) => linkTo(address),
  });
  return joined(parts);
}

/** One resource after another, each to be opened: what changes, with everything that filters ask for. Pure. */
import type { Json } from "../../engine/index.ts";
import type { Change, ChangeOp, Drift, DriftField, Field, Report } from "../../stack/report/model.ts";
import { funnelText, reasonText, STAYS_AS_IT_IS } from "../reasons.ts";
import { titleOf } from "../words.ts";
import { markup, joined, linkTo, type Markup } from "./markup.ts";
import { fieldView, sidesView } from "./values.ts";
import type { Marks } from "./marks.ts";

const OPS: Record<ChangeOp, string> = {
  create: "new",
  adopt: "taken over",
  update: "changes",
  replace: "made anew",
  delete: "goes away",
};

const STATUS: Record<NonNullable<Change["status"]>, string | undefined> = {
  done: undefined,
  failed: "failed",
  unfinished: "unfinished",
  unreached: "not reached",
};

export function opWord(op: ChangeOp): string {
  return OPS[op];
}

export function changeView(change: Change, marks: Marks, isOpen: boolean): Markup {
  const { op, status, stays, reason, fields, rendered = [] } = change;
  const facts = [status && STATUS[status], stays && "stays in the account", sizeOf(change)];
  const told = new Set(rendered.map(({ path }) => path.join("\0")));
  const places = new Map(fields.map(({ path, writtenIn }) => [path.join("\0"), writtenIn]));
  // What visitors see says more than the text with its placeholders.
  const rest = fields.filter(({ path }) => !told.has(path.join("\0")));
  return frame(change, { badge: OPS[op], op, facts, isOpen, marks }, [
    links(change),
    ...(reason === undefined ? [] : [markup`<p class="note">${reasonText(reason)}</p>`]),
    ...(rendered.length === 0 ? [] : [renderedView(rendered, ({ path }) => places.get(path.join("\0")))]),
    ...rest.map(changedField),
  ]);
}

type Rendered = NonNullable<Change["rendered"]>;

function renderedView(rendered: Rendered, placeOf: (one: Rendered[number]) => string | undefined): Markup {
  const texts = rendered.map((one) => fieldView(one.path, { old: one.old, new: one.new }, noteOf(false, placeOf(one))));
  return markup`<div class="seen">
    <p class="note">What visitors see, with the values of variables filled in</p>
    ${joined(texts)}
  </div>`;
}

function changedField({ path, old, new: now, replaces, stays, writtenIn }: Field): Markup {
  if (stays === true) return fieldView(path, { old, new: old }, STAYS_AS_IT_IS);
  return fieldView(path, { old, new: now }, noteOf(replaces === true, writtenIn));
}

function noteOf(replaces: boolean, writtenIn: string | undefined): string | undefined {
  const parts = [
    ...(replaces ? ["is why it is made anew"] : []),
    ...(writtenIn === undefined ? [] : [`written in ${writtenIn}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

const DRIFTS: Record<Drift["kind"], string> = {
  changed: "edited since the last run",
  gone: "no longer there",
  unsettled: "not yet as the code says",
  absent: "not made yet",
  undeclared: "no longer declared",
  unfinished: "left unfinished",
};

export function driftView(drift: Drift, marks: Marks, isOpen: boolean): Markup {
  const size = drift.fields.length === 0 ? undefined : counted(drift.fields.length, "field");
  return frame(drift, { badge: DRIFTS[drift.kind], op: drift.kind, facts: [size], isOpen, marks }, [
    links(drift),
    ...drift.fields.map(driftedField),
  ]);
}

function driftedField({ path, lastRun, live, code }: DriftField): Markup {
  const [edited, wanted] = [!isSame(lastRun, live), !isSame(live, code)];
  if (!edited) return fieldView(path, { old: live, new: code }, "the next up changes it");
  const both = wanted && !isSame(lastRun, code);
  const back = wanted
    ? markup`<p class="note">${both ? "The code was changed, too; up --refresh puts this there:" : "What the code says, and up --refresh puts back:"}</p>${sidesView({ old: live, new: code })}`
    : markup`<p class="note">The code says so, too.</p>`;
  return markup`${fieldView(path, { old: lastRun, new: live }, "was edited since the last run")}${back}`;
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface Frame {
  badge: string;
  op: string;
  facts: readonly (string | undefined)[];
  isOpen: boolean;
  marks: Marks;
}

function frame(
  about: { type: string; name: string },
  { badge, op, facts, isOpen, marks }: Frame,
  parts: readonly Markup[],
): Markup {
  const told = facts.filter((fact) => fact !== undefined && fact !== "").join(" · ");
  const data = markup`data-kind="${marks.kind}" data-op="${op}" data-site="${marks.sites}" data-funnel="${marks.funnels}"`;
  const title = markup`<span class="badge ${op}">${badge}</span>
    <h3>${titleOf(about)}</h3>
    <span class="faint">${told}</span>`;
  return markup`<details class="change" ${data}${isOpen ? markup` open` : undefined}>
    <summary>${title}</summary>
    <div>${joined(parts)}</div>
  </details>`;
}

function links({ name, url, editUrl }: { name: string; url?: string; editUrl?: string }): Markup {
  const suffix = markup`<span class="vh"> (${name})</span>`;
  const found = [
    ...(url === undefined ? [] : [linkTo(url, markup`Live page${suffix}`)]),
    ...(editUrl === undefined ? [] : [linkTo(editUrl, markup`Edit or preview in the builder${suffix}`)]),
  ];
  return found.length === 0 ? markup`` : markup`<p class="links">${joined(found)}</p>`;
}

function sizeOf({ fields, rendered = [], op }: Change): string | undefined {
  if (op !== "update" && op !== "replace") return undefined;
  const texts = new Set([...fields, ...rendered].map(({ path }) => path.join("\0"))).size;
  return texts === 0 ? undefined : counted(texts, "field");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** The steps of touched funnels as boxes. */
export function funnelViews({ impact }: Report): Markup {
  const maps = (impact?.funnels ?? []).map((funnel) => {
    const steps = (funnel.steps ?? []).map(({ pageType, to, op }) => {
      const touched = op === undefined ? "" : " touched";
      const what = op === undefined ? undefined : markup` <span class="note">(${OPS[op]})</span>`;
      return markup`<li>
        <span class="step${touched}"><b>${to ?? "a new page"}</b><span class="faint">${pageType}</span>${what}</span>
      </li>`;
    });
    const flow =
      steps.length === 0
        ? markup`<p class="none">no steps</p>`
        : markup`<ol class="flow">
            ${joined(steps)}
          </ol>`;
    return markup`<div class="card">
      <h3>${funnel.name}</h3>
      <span class="faint">${funnelText(funnel)}</span>${flow}
    </div>`;
  });
  return maps.length === 0
    ? markup``
    : markup`<section aria-labelledby="funnels">
        <h2 id="funnels">Funnels</h2>
        ${joined(maps)}
      </section>`;
}

import { FORM_ID_FIELD } from "../submission.ts";
import { subtree } from "../tree.ts";
import type { PageNode } from "../types.ts";
import { anchorOf, attributes, type RenderContext, type Renderer, setting } from "./context.ts";
import { escapeHtml, lines, paragraphs } from "./escape.ts";

export const form: Renderer = (node, children, context) =>
  posted(node, "form", children + (hasButton(node) ? "" : send), context);

/** Puts all questions below one another. The page's script makes steps of them. */
export const quiz: Renderer = (node, children, context) => {
  const progress = `<div class="progress" role="progressbar" aria-label="Progress" aria-valuemin="0" aria-valuemax="100" aria-valuenow="0"><i></i></div>`;
  const steps = `<div class="steps"><button type="button" class="btn btn-link back">Back</button><button type="button" class="btn btn-primary next">Next</button></div>`;
  const last = hasButton(node) ? "" : `<div class="step" tabindex="-1">${send}</div>`;
  return posted(node, "quiz", progress + children + last + steps, context);
};

export const question: Renderer = (node, children) =>
  `<fieldset${attributes(node, "step")} tabindex="-1"><legend>${lines(setting(node, "text"))}</legend>${children}</fieldset>`;

export const option: Renderer = (node, _children, { questionId }) => {
  const text = setting(node, "text");
  return `<label${attributes(node, "choice")}><input type="radio" name="${escapeHtml(questionId)}" value="${escapeHtml(text)}" required><span>${lines(text)}</span></label>`;
};

export const finish: Renderer = (node, children) => `<div${attributes(node, "step")} tabindex="-1">${children}</div>`;

export const input: Renderer = (node) => {
  const id = `f-${escapeHtml(node.id)}`;
  const field = setting(node, "field") || setting(node, "name") || node.id;
  const shared = ` id="${id}" name="${escapeHtml(field)}"${node.misc.required === true ? " required" : ""}`;
  const label = lines(setting(node, "label"));
  const placeholder = ` placeholder="${escapeHtml(setting(node, "placeholder"))}"`;
  const kind = setting(node, "kind");
  if (kind === "checkbox") {
    return `<p${attributes(node, "field", "consent")}><input type="checkbox" value="yes"${shared}><label for="${id}">${label}</label></p>`;
  }
  const control =
    kind === "textarea"
      ? `<textarea rows="4"${shared}${placeholder}></textarea>`
      : `<input type="${kinds.find((one) => one === kind) ?? "text"}"${shared}${placeholder}${autocomplete(field)}>`;
  return `<p${attributes(node, "field")}><label for="${id}">${label}</label>${control}</p>`;
};

const kinds = ["email", "tel", "number", "date", "url"];

const autofill: Readonly<Record<string, string>> = {
  email: "email",
  name: "name",
  first_name: "given-name",
  last_name: "family-name",
  phone: "tel",
};

function autocomplete(field: string): string {
  const token = Object.hasOwn(autofill, field) ? autofill[field] : undefined;
  return token === undefined ? "" : ` autocomplete="${token}"`;
}

const send = `<button type="submit" class="btn btn-primary">Send</button>`;

function hasButton(node: PageNode): boolean {
  return subtree(node).some((one) => one.type === "button");
}

function posted(node: PageNode, kind: string, children: string, context: RenderContext): string {
  const anchor = anchorOf(node);
  if (context.submitted === node.id) {
    const next = context.nextUrl;
    const goOn = next === undefined ? "" : `<a href="${escapeHtml(next)}" class="btn btn-primary">Continue</a>`;
    // The focus scrolls to the answer: the browser shows a new page from its top.
    return `<div id="${anchor}" role="status" tabindex="-1" autofocus${attributes(node, "panel", "thanks")}>${paragraphs(setting(node, "thanks") || "Thank you!", "")}${goOn}</div>`;
  }
  const hidden = `<input type="hidden" name="${FORM_ID_FIELD}" value="${escapeHtml(node.id)}">`;
  return `<form id="${anchor}" method="post" action="${escapeHtml(context.formAction)}"${attributes(node, "panel", kind)}>${hidden}${children}</form>`;
}

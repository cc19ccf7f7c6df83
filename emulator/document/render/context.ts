import type { PageNode } from "../types.ts";
import { escapeHtml, inlineStyle } from "./escape.ts";

/** What a node has to know of its page to be rendered. */
export interface RenderContext {
  formAction: string;
  /** The next step of the funnel, where buttons without a URL of their own lead. */
  nextUrl: string | undefined;
  /** The first form of the page: where such buttons lead when there is no next step. */
  formUrl: string;
  /** Node id of the form that was just sent. */
  submitted: string | null;
  /** Set below a form or a quiz. */
  inForm: boolean;
  /** The question that options answer. */
  questionId: string;
}

/** Renders one node; its children are HTML already. */
export type Renderer = (node: PageNode, children: string, context: RenderContext) => string;

export function setting(node: PageNode, name: string): string {
  const value = node.misc[name];
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** ` class="…" data-node="…" style="…"`, with a leading space. */
export function attributes(node: PageNode, ...classes: string[]): string {
  const style = inlineStyle(node.style);
  const names = classes.filter((name) => name !== "").join(" ");
  return [
    names && ` class="${escapeHtml(names)}"`,
    ` data-node="${escapeHtml(node.id)}"`,
    style && ` style="${escapeHtml(style)}"`,
  ].join("");
}

/** A look as a class name, from a closed list: what is not in it has the first look. */
export function look(node: PageNode, looks: readonly [string, ...string[]]): string {
  const wanted = setting(node, "look");
  return looks.includes(wanted) ? wanted : looks[0];
}

/** Where links such as `#start` find a section. */
export function anchorOf(node: PageNode): string {
  const name = (setting(node, "name") || node.id).replace(/[^A-Za-z0-9_-]+/g, "-");
  return escapeHtml(name);
}

import type { PageNode } from "../types.ts";
import { escapeHtml, inlineStyle } from "./escape.ts";

/** The facts about the page that a node needs for its rendering. */
export interface RenderContext {
  formAction: string;
  /** The next step of the funnel. Buttons without a URL of their own lead there. */
  nextUrl: string | undefined;
  /** The first form of the page. Such buttons lead there if there is no next step. */
  formUrl: string;
  /** Node id of the form that the visitor has just sent. */
  submitted: string | null;
  /** True below a form or a quiz. */
  inForm: boolean;
  /** The question that the options answer. */
  questionId: string;
}

/** Renders one node. Its children are HTML already. */
export type Renderer = (node: PageNode, children: string, context: RenderContext) => string;

export function setting(node: PageNode, name: string): string {
  const value = node.misc[name];
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Returns ` class="…" data-node="…" style="…"`, with a leading space. */
export function attributes(node: PageNode, ...classes: string[]): string {
  const style = inlineStyle(node.style);
  const names = classes.filter((name) => name !== "").join(" ");
  return [
    names && ` class="${escapeHtml(names)}"`,
    ` data-node="${escapeHtml(node.id)}"`,
    style && ` style="${escapeHtml(style)}"`,
  ].join("");
}

/** Returns a look as a class name, from a closed list. An unknown look becomes the first one. */
export function look(node: PageNode, looks: readonly [string, ...string[]]): string {
  const wanted = setting(node, "look");
  return looks.includes(wanted) ? wanted : looks[0];
}

/** Returns the target of links such as `#start`. */
export function anchorOf(node: PageNode): string {
  const name = (setting(node, "name") || node.id).replace(/[^A-Za-z0-9_-]+/g, "-");
  return escapeHtml(name);
}

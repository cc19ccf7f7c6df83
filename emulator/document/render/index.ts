import { allNodes, subtree } from "../tree.ts";
import type { PageDelay, PageDocument, PageNode } from "../types.ts";
import { renderNode } from "./blocks.ts";
import { anchorOf, look, type RenderContext, setting } from "./context.ts";
import { escapeHtml, safeLink } from "./escape.ts";
import { earlyScript, laterOpening, playScript, quizScript, revealScript } from "./scripts.ts";
import { stylesheet, themeOf } from "./stylesheet.ts";

export interface RenderInput {
  page: { id: string; page_name: string };
  document: PageDocument;
  site?: { name: string | null } | null;
  /** The address of the next step of the page's funnel, if there is one. */
  funnelNextUrl?: string | null;
  /** The target of posted forms, as application/x-www-form-urlencoded; see `readSubmission`. */
  formAction: string;
  /** Node id of the form that the visitor has just sent: its thanks replace it. */
  submitted?: string | null;
}

/** Renders a whole HTML page. It works without JavaScript, and shows all content as text. */
export function renderPage(input: RenderInput): string {
  const { page, document, site } = input;
  const theme = themeOf(document);
  const title = [page.page_name, site?.name].filter((part) => part).join(" · ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(descriptionOf(document))}">
<meta name="theme-color" content="${escapeHtml(theme.accent)}">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="${theme.accent}"/></svg>`)}">
<style>${stylesheet(theme)}</style>
<script>${earlyScript}</script>
</head>
<body data-page="${escapeHtml(page.id)}">
${body(document, contextOf(input))}
${scriptsOf(document)}</body>
</html>
`;
}

function contextOf({ document, formAction, funnelNextUrl, submitted }: RenderInput): RenderContext {
  const firstForm = allNodes(document).find((node) => node.type === "form" || node.type === "quiz");
  return {
    formAction,
    nextUrl: safeLink(funnelNextUrl ?? ""),
    formUrl: firstForm ? `#${anchorOf(firstForm)}` : "#",
    submitted: submitted ?? null,
    inForm: false,
    questionId: "",
  };
}

function body(document: PageDocument, context: RenderContext): string {
  const looks = ["plain", "bar", "footer"] as const;
  const render = (nodes: PageNode[]): string => nodes.map((node) => renderNode(node, context)).join("\n");
  const part = (kind: string): PageNode[] => document.sections.filter((node) => look(node, looks) === kind);
  const { delay } = document;
  const main = part("plain");
  const seen = delay && delay.time > 0 ? seenAtOnce(main, delay) : main.length;
  const later =
    delay && seen < main.length
      ? `\n${laterOpening(delay, videoOf(document, delay))}\n${render(main.slice(seen))}\n</div>`
      : "";
  return `${render(part("bar"))}\n<main>\n${render(main.slice(0, seen))}${later}\n</main>\n${render(part("footer"))}`;
}

/** Returns the number of sections before the delay: up to its marker, or else the video, or else the first section. */
function seenAtOnce(sections: PageNode[], delay: PageDelay): number {
  const holds = (test: (node: PageNode) => boolean): number =>
    sections.findIndex((section) => subtree(section).some(test)) + 1;
  return holds((node) => node.type === "delay") || holds((node) => node.id === delay.video_node_id) || 1;
}

function videoOf(document: PageDocument, delay: PageDelay): string | null {
  return delay.video_node_id ?? allNodes(document).find((node) => node.type === "video")?.id ?? null;
}

function scriptsOf(document: PageDocument): string {
  const has = (type: string): boolean => allNodes(document).some((node) => node.type === type);
  const needed = [
    has("video") ? playScript : "",
    has("quiz") ? quizScript : "",
    document.delay && document.delay.time > 0 ? `if (document.querySelector(".later")) {${revealScript}\n}` : "",
  ].filter((script) => script !== "");
  return needed.length === 0 ? "" : `<script>${needed.join("\n")}\n</script>\n`;
}

function descriptionOf(document: PageDocument): string {
  const lead = allNodes(document).find((node) => node.type === "text" && setting(node, "look") === "lead");
  return lead ? setting(lead, "text").replace(/\s+/g, " ").slice(0, 200) : "";
}

import type { PageNode } from "../types.ts";
import { anchorOf, attributes, look, type RenderContext, type Renderer, setting } from "./context.ts";
import { escapeHtml, lines, paragraphs, safeLink, safeMedia } from "./escape.ts";
import { form, input, option, question, quiz, finish } from "./forms.ts";

export function renderNode(node: PageNode, context: RenderContext): string {
  const inner = within(node, context);
  const children = (node.children ?? []).map((child) => renderNode(child, inner)).join("");
  const render = Object.hasOwn(renderers, node.type) ? renderers[node.type] : undefined;
  return (render ?? box)(node, children, context);
}

function within(node: PageNode, context: RenderContext): RenderContext {
  if (node.type === "form" || node.type === "quiz") return { ...context, inForm: true };
  return node.type === "question" ? { ...context, questionId: node.id } : context;
}

const box: Renderer = (node, children) => `<div${attributes(node)}>${children}</div>`;

const section: Renderer = (node, children) => {
  const kind = look(node, ["plain", "tint", "dark", "accent", "bar", "footer"]);
  const tag = kind === "bar" ? "header" : kind === "footer" ? "footer" : "section";
  const align = setting(node, "align") === "center" ? "center" : "";
  const width = setting(node, "width") === "narrow" ? "narrow" : "";
  return `<${tag} id="${anchorOf(node)}"${attributes(node, "s", `s-${kind}`, align, width)}><div class="wrap">${children}</div></${tag}>`;
};

const columns: Renderer = (node, children) => {
  const ratio = setting(node, "ratio") === "wide-first" ? "wide-first" : "";
  return `<div${attributes(node, "cols", ratio)}>${children}</div>`;
};

const column: Renderer = (node, children) => `<div${attributes(node, "col")}>${children}</div>`;

const card: Renderer = (node, children) =>
  `<div${attributes(node, "card", look(node, ["", "highlight"]))}>${children}</div>`;

const heading: Renderer = (node) => {
  const level = /^[1-6]$/.test(setting(node, "level")) ? setting(node, "level") : "2";
  return `<h${level}${attributes(node)}>${lines(setting(node, "text"))}</h${level}>`;
};

const text: Renderer = (node) =>
  paragraphs(
    setting(node, "text"),
    attributes(node, `t-${look(node, ["body", "lead", "eyebrow", "small", "brand", "badge"])}`),
  );

const button: Renderer = (node, _children, context) => {
  const kind = attributes(node, "btn", `btn-${look(node, ["primary", "ghost", "link"])}`);
  const own = safeLink(setting(node, "url"));
  const label = lines(setting(node, "text"));
  if (context.inForm && own === undefined) return `<button type="submit"${kind}>${label}</button>`;
  return `<a href="${escapeHtml(own ?? context.nextUrl ?? context.formUrl)}"${kind}>${label}</a>`;
};

const image: Renderer = (node) => {
  const src = safeMedia(setting(node, "src"));
  const fit = ["portrait", "icon"].find((one) => one === setting(node, "fit")) ?? "wide";
  if (src === undefined) return "";
  return `<img src="${escapeHtml(src)}" alt="${escapeHtml(setting(node, "alt"))}"${attributes(node, `img-${fit}`)}>`;
};

/** Renders a film that plays in the page. Without a source, its poster gets a play button, which a delay waits for. */
const video: Renderer = (node) => {
  const src = safeMedia(setting(node, "src"));
  const poster = escapeHtml(safeMedia(setting(node, "poster")) ?? "");
  const title = escapeHtml(setting(node, "title"));
  const player = src
    ? `<video controls playsinline preload="metadata" poster="${poster}" src="${escapeHtml(src)}" aria-label="${title}"></video>`
    : `<button type="button" class="play" aria-label="Play: ${title}"><img src="${poster}" alt=""><i></i></button>`;
  return `<figure${attributes(node, "video")}>${player}<figcaption>${title}</figcaption></figure>`;
};

const list: Renderer = (node, children) => {
  const marks = ["number", "dot"].find((one) => one === setting(node, "marks")) ?? "check";
  const tag = marks === "number" ? "ol" : "ul";
  return `<${tag}${attributes(node, "list", `list-${marks}`)}>${children}</${tag}>`;
};

const item: Renderer = (node) => `<li${attributes(node)}>${lines(setting(node, "text"))}</li>`;

const testimonial: Renderer = (node) =>
  `<figure${attributes(node, "quote")}><blockquote>${paragraphs(setting(node, "quote"), "")}</blockquote><figcaption><span class="avatar"></span><span><strong>${escapeHtml(setting(node, "author"))}</strong><br>${escapeHtml(setting(node, "role"))}</span></figcaption></figure>`;

const stat: Renderer = (node) =>
  `<div${attributes(node, "stat")}><strong>${escapeHtml(setting(node, "value"))}</strong><span>${escapeHtml(setting(node, "label"))}</span></div>`;

const price: Renderer = (node) => {
  const compare = setting(node, "compare");
  const before = compare && `<s><span class="sr">Instead of </span>${escapeHtml(compare)}</s>`;
  return `<p${attributes(node, "price")}>${before}<strong>${escapeHtml(setting(node, "amount"))}</strong><span>${escapeHtml(setting(node, "period"))}</span></p>`;
};

const faq: Renderer = (node) =>
  `<details${attributes(node, "faq")}><summary>${escapeHtml(setting(node, "question"))}</summary>${paragraphs(setting(node, "answer"), "")}</details>`;

const nothing: Renderer = () => "";

const renderers: Readonly<Record<string, Renderer>> = {
  section,
  columns,
  column,
  card,
  heading,
  text,
  button,
  image,
  video,
  list,
  item,
  testimonial,
  stat,
  price,
  faq,
  form,
  input,
  quiz,
  question,
  option,
  finish,
  delay: nothing,
};

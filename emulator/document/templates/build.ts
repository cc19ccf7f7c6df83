import type { PageNode, PageTheme, TemplateRecord } from "../types.ts";

/** A node of a template. Each page that is made from it gets its own ids. */
export type NodeSpec = Omit<PageNode, "id" | "children"> & { children?: NodeSpec[] };

export interface Template {
  record: TemplateRecord;
  theme: PageTheme;
  sections: NodeSpec[];
}

type Settings = Record<string, unknown>;

export function record(
  id: string,
  fields: { name: string; category: string; description: string; image: string; type?: "page" | "quiz" },
): TemplateRecord {
  const { name, category, description, image, type = "page" } = fields;
  return { id, name, template_name: name, category, type, description, preview_url: null, image_url: image };
}

/** `look`: plain, tint, dark, accent, bar (the top of a page) or footer; `align`: left or center. */
export const section = (name: string, settings: Settings, ...children: NodeSpec[]): NodeSpec =>
  group("section", { name, ...settings }, children);

/** Puts children side by side on wide screens. `ratio` widens the first of two columns. */
export const columns = (settings: Settings, ...children: NodeSpec[]): NodeSpec => group("columns", settings, children);

export const column = (...children: NodeSpec[]): NodeSpec => group("column", {}, children);

export const card = (settings: Settings, ...children: NodeSpec[]): NodeSpec => group("card", settings, children);

export const heading = (name: string, text: string, level = 2): NodeSpec => leaf("heading", { name, text, level });

/** `look`: body, lead, eyebrow, small, brand or badge. */
export const text = (name: string, text: string, look = "body"): NodeSpec => leaf("text", { name, text, look });

/** `look`: primary, ghost or link. A button without a URL leads to the next step of the funnel. */
export const button = (name: string, text: string, url = "", look = "primary"): NodeSpec =>
  leaf("button", { name, text, url, look });

/** `fit`: wide, portrait or icon. */
export const image = (name: string, src: string, alt: string, fit = "wide"): NodeSpec =>
  leaf("image", { name, src, alt, fit });

export const video = (name: string, title: string, poster: string, src = ""): NodeSpec =>
  leaf("video", { name, title, src, poster });

/** `marks`: check, number or dot. */
export const list = (name: string, marks: string, ...items: string[]): NodeSpec =>
  group(
    "list",
    { marks },
    items.map((text, index) => leaf("item", { name: `${name}.${index + 1}`, text })),
  );

export const testimonial = (name: string, quote: string, author: string, role: string): NodeSpec =>
  leaf("testimonial", { name, quote, author, role });

export const stat = (name: string, value: string, label: string): NodeSpec => leaf("stat", { name, value, label });

export const price = (name: string, amount: string, compare: string, period: string): NodeSpec =>
  leaf("price", { name, amount, compare, period });

export const faq = (name: string, question: string, answer: string): NodeSpec =>
  leaf("faq", { name, question, answer });

/** `title` names the form on its leads. Visitors don't see it. */
export const form = (name: string, title: string, thanks: string, ...children: NodeSpec[]): NodeSpec =>
  group("form", { name, title, thanks }, children);

/** `field` is the name in the posted form: email, name, phone or any other. */
export const input = (name: string, field: string, label: string, placeholder: string, kind = "text"): NodeSpec =>
  leaf("input", { name, field, label, placeholder, kind, required: kind !== "checkbox" });

/** Makes a button without a URL, which sends the form or quiz around it. */
export const submit = (name: string, text: string): NodeSpec => button(name, text);

export const quiz = (name: string, title: string, thanks: string, ...children: NodeSpec[]): NodeSpec =>
  group("quiz", { name, title, thanks }, children);

export const question = (name: string, text: string, ...options: string[]): NodeSpec =>
  group(
    "question",
    { name, text },
    options.map((option, index) => leaf("option", { name: `${name}.${index + 1}`, text: option })),
  );

/** The last step of a quiz, where the visitor leaves name and address. */
export const finish = (...children: NodeSpec[]): NodeSpec => group("finish", {}, children);

/** If the page has a delay, it reveals the sections after this one later. */
export const delayMarker = (): NodeSpec => leaf("delay", {});

function leaf(type: string, misc: Settings): NodeSpec {
  return { type, misc, style: {} };
}

function group(type: string, misc: Settings, children: NodeSpec[]): NodeSpec {
  return { type, misc, style: {}, children };
}

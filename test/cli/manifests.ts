/** Short manifests: one site, and pages on it. */

export const BRIEF = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);

type Hero = Readonly<Partial<Record<"title" | "text" | "note" | "slug" | "brand" | "more", string>>>;

/** A public page of the hero template, with texts under hero.title and so on. `more`: further inputs, with a comma before them. */
export function hero(name: string, { slug = name, brand = "Acme", more = "", ...texts }: Hero = {}): string {
  const content = Object.entries(texts).map(([key, text]) => `hero.${key}: ${JSON.stringify(text)}`);
  const declared = content.length === 0 ? "" : ` content: { ${content.join(", ")} },`;
  return `  ${name}: { template: tpl-hero, variables: { brand: ${brand} },${declared} publish: { site: main, slug: ${slug} }${more} }\n`;
}

/** Its pages are served at sited-example/SLUG. */
export const sited = (pages: readonly string[], more = ""): string =>
  `landform: 1\nname: sited\nsites: { main: { name: sited.example } }\npages:\n${pages.join("")}${more}`;

/** The measured account, as a landform.yaml and as a program: published pages of twenty texts each, products and funnels. */

export interface AccountSize {
  readonly pages: number;
  /** Default: 10. */
  readonly products?: number;
  /** Default: 5. */
  readonly funnels?: number;
  /** True if some texts of the template keep their placeholders, which variables fill in. */
  readonly variables?: boolean;
}

/** The first title of the first page, if it differs. */
export interface Edit {
  readonly headline?: string;
}

const DESCRIPTION = "A project that holds what is measured, and nothing else at all.";
const CONTEXT =
  "A brief about a brand that sells mugs to people who drink from them in the morning and at night. ".repeat(3);
const TEMPLATE = "tpl-hero";
/** The template's texts with a placeholder come first. */
const KEYS = [
  ["top.brand", "hero.eyebrow", "hero.text", "footer.text"],
  ["hero.title", "hero.note", "hero.cta.text", "top.cta.text", "benefits.title", "benefits.text"],
  ["benefits.plan.title", "benefits.plan.text", "benefits.warn.title", "benefits.warn.text"],
  ["benefits.trust.title", "benefits.trust.text", "how.title", "start.title", "start.text", "start.note"],
  ["faq.title", "proof.teams.value", "proof.hours.value", "proof.rating.value"],
].flat();
const PLACEHOLDERS = 4;
const TEXTS = 20;

function keysOf({ variables = false }: AccountSize): readonly string[] {
  return variables ? KEYS.slice(PLACEHOLDERS, PLACEHOLDERS + TEXTS) : KEYS.slice(0, TEXTS);
}

/** Returns the texts of a page. It is plain JavaScript, because the measured program contains it as it is. */
function contentOf(keys: readonly string[], index: number, headline: string): Record<string, string> {
  return Object.fromEntries(
    keys.map((key) => {
      const text = `What page ${index} says under ${key}, in a sentence as people write them`;
      return [key, index === 0 && key === "hero.title" ? headline : text];
    }),
  );
}

const HEADLINE = "The title that the first page has before anybody changes it";

/** Returns the content of landform.yaml. */
export function manifestOf(
  size: AccountSize,
  { headline = HEADLINE }: Edit = {},
  nameOf = (index: number): string => `page-${index}`,
): object {
  const { pages, products = 10, funnels = 5, variables } = size;
  const keys = keysOf(size);
  const entries = (count: number, name: string, make: (index: number) => object): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}-${index}`, make(index)]));
  return {
    landform: 1,
    name: "bench",
    projects: { mugs: { description: DESCRIPTION, context: CONTEXT } },
    sites: { "mugs.example": { project: "mugs" } },
    pages: entries(pages, "page", (index) => ({
      project: "mugs",
      template: TEMPLATE,
      content: contentOf(keys, index, headline),
      ...(variables === true && { variables: { brand: "Acme" } }),
      publish: { site: "mugs.example", slug: `p-${index}` },
    })),
    products: entries(products, "product", (index) => ({ project: "mugs", price: 12.5 + index, sku: `MUG-${index}` })),
    funnels: entries(funnels, "funnel", (index) => ({
      project: "mugs",
      steps: [
        { page: nameOf((2 * index) % pages), pageType: "presell" },
        { page: nameOf((2 * index + 1) % pages), pageType: "sales" },
        { url: "https://pay.mugs.example/", pageType: "thankyou" },
      ],
    })),
  };
}

interface DeclaredPage {
  readonly content: Readonly<Record<string, string>>;
  readonly publish: { readonly site: string; readonly slug: string };
}

/** Returns the same with one entry for all pages: each text is a column of its rows. */
export function entryOf(size: AccountSize, edit: Edit = {}): { readonly manifest: object; readonly rows: string } {
  const declared = manifestOf(size, edit, (index) => `page["${index}"]`) as { pages: Record<string, DeclaredPage> };
  const pages = Object.values(declared.pages);
  const [first] = pages;
  if (first === undefined) throw new TypeError("there are no pages");
  const each = (column: string): string => `\${each[${JSON.stringify(column)}]}`;
  const page = {
    ...first,
    each: { file: "pages.csv", key: "page" },
    content: Object.fromEntries(Object.keys(first.content).map((key) => [key, each(key)])),
    publish: { ...first.publish, slug: each("slug") },
  };
  return { manifest: { ...declared, pages: { page } }, rows: rowsOf(pages) };
}

function rowsOf(pages: readonly DeclaredPage[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const keys = Object.keys(pages[0]?.content ?? {});
  const rows = pages.map(({ content, publish }, index) => [
    String(index),
    publish.slug,
    ...keys.map((key) => content[key] ?? ""),
  ]);
  return [["page", "slug", ...keys], ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

export function programOf(size: AccountSize, { headline = HEADLINE }: Edit = {}): string {
  const { pages, products = 10, funnels = 5, variables } = size;
  const more = variables === true ? `variables: { brand: "Acme" }, ` : "";
  return `import { Funnel, Page, Product, Project, Site } from "landform";
const keys = ${JSON.stringify(keysOf(size))};
${contentOf.toString()}
const { id: projectId } = new Project("mugs", { description: "${DESCRIPTION}", context: "${CONTEXT}" });
const { id: siteId } = new Site("mugs.example", { projectId });
const pages = [];
for (let index = 0; index < ${pages}; index++) {
  const content = contentOf(keys, index, ${JSON.stringify(headline)});
  pages.push(new Page("page-" + index, { projectId, templateId: "${TEMPLATE}", content, ${more}publish: { siteId, slug: "p-" + index } }));
}
for (let index = 0; index < ${products}; index++) new Product("product-" + index, { projectId, price: 12.5 + index, sku: "MUG-" + index });
for (let index = 0; index < ${funnels}; index++) {
  const pageId = (number) => pages[number % ${pages}].id;
  const steps = [
    { pageId: pageId(2 * index), pageType: "presell" },
    { pageId: pageId(2 * index + 1), pageType: "sales" },
    { url: "https://pay.mugs.example/", pageType: "thankyou" },
  ];
  new Funnel("funnel-" + index, { projectId, steps });
}
`;
}

/** Random accounts, and the calls that make them in an emulator. */
import * as fc from "fast-check";
import { templates } from "../../emulator/document/index.ts";
import type { NotShown } from "../../emulator/index.ts";
import { ContentFields } from "../../provider/account/content-map.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import type { TestAccount } from "./harness.ts";

export const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);

/** Names and texts that YAML, JavaScript or a file system could take for something else. */
export const hostile = [
  ...["true", "No", "null", "~", "007", "1e3", "2026-11-21", "0x1f", ".inf", "<<", "---"],
  "- item",
  "# not a comment",
  "key: value",
  "a: b # c",
  "{ file: a.txt }",
  "[1, 2]",
  ...["&anchor", "*alias", "!tag", "%YAML", "@at", "`backtick`", "${injection}", "-", "?", "|", ">"],
  'it\'s "quoted" \\ and \\n',
  ...["🚀", "e\u0301 vs é", "constructor", "con", "../../etc/passwd"],
  "tab\there",
  "// comment */ end",
  "\u202Eright to left",
  "zero\u200Bwidth",
] as const;

/** Texts that only content can hold. Names lose white space at their ends, for example. */
export const hostileTexts = [
  ...hostile,
  "",
  " leading",
  "trailing  ",
  "two\nlines",
  "ends with a line\n",
  "\n\nbegins with lines",
  "trailing \nspaces \n in lines",
  "  indented\nless",
  "carriage\r\nreturn",
  "lone\rreturn",
  "a {{ b",
  "form feed \f bell \u0007 nul \u0000",
  "nel \u0085 line \u2028 paragraph \u2029",
  "\uFEFFbegins with a BOM",
  `${"long ".repeat(80)}end`,
  `\uFEFF${"long ".repeat(80)}`,
  "1\n2\n3\n4\n5\n6\n7\n",
  '{"file": "a.txt"}',
  "<p>Some <b>markup</b></p>",
] as const;

export interface Shape {
  readonly projects: readonly string[];
  readonly sites: readonly { name: string; project: number }[];
  readonly pages: readonly PageShape[];
  readonly products: readonly { name: string; text: string; price: number; flag: boolean; project: number }[];
  readonly funnels: readonly { name: string; steps: readonly number[]; project: number }[];
  readonly notShown: Partial<NotShown>;
}

interface PageShape {
  readonly name: string;
  readonly template: string;
  readonly quiz: boolean;
  readonly project: number;
  readonly site: number;
  readonly state: "draft" | "attached" | "published";
  readonly texts: readonly string[];
}

const name = fc.oneof(
  fc.constantFrom(...hostile, "Offer", "Offer", "Thanks", "Frühling 2026"),
  fc
    .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
    .filter((text) => text.trim() !== "" && !text.includes("[")),
);
const text = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ maxLength: 60, unit: "binary" }).filter((value) => value.isWellFormed() && !value.includes("{{")),
);
/** The index of nothing. */
export const NONE = 9;

const index = fc.nat(NONE);

/** Makes shapes with at least so many of each kind, and one more page. */
export const shapesOf = (least: 0 | 1 | 2): fc.Arbitrary<Shape> =>
  fc.record({
    projects: fc.array(name, { minLength: least, maxLength: 2 }),
    sites: fc.array(fc.record({ name, project: index }), { minLength: least, maxLength: 2 }),
    pages: fc.array(
      fc.record({
        name,
        template: fc.constantFrom("", ...templates.map(({ id }) => id)),
        quiz: fc.boolean(),
        project: index,
        site: index,
        state: fc.constantFrom("draft", "attached", "published"),
        texts: fc.array(text, { maxLength: 6 }),
      }),
      { minLength: least === 0 ? 0 : least + 1, maxLength: 5 },
    ),
    products: fc.array(
      fc.record({ name, text, price: fc.constantFrom(0, 1, 12.5, 0.1), flag: fc.boolean(), project: index }),
      { minLength: least, maxLength: 2 },
    ),
    funnels: fc.array(fc.record({ name, steps: fc.array(index, { maxLength: 4 }), project: index }), {
      minLength: least,
      maxLength: 2,
    }),
    notShown: fc.record({
      contentShape: fc.constantFrom(
        "array-key-value",
        "array-id-text",
        "array-name-content-default",
        "nested-groups",
        "map-scalars",
        "map-objects",
      ),
      normaliseNames: fc.boolean(),
      numbersAsStrings: fc.boolean(),
      extraFields: fc.boolean(),
      listOrder: fc.constantFrom("oldest-first", "newest-first"),
      quizIdDiffers: fc.boolean(),
    }),
  });

export const shapes = shapesOf(0);

/** Makes the account. Returns the template of each page that has one, by page id. */
export async function populate({ api }: Pick<TestAccount, "api">, shape: Shape): Promise<Map<string, string>> {
  const projects: string[] = [];
  for (const called of shape.projects)
    projects.push((await api.projects.create({ name: called, description: LONG, context: LONG })).id);
  const sites: string[] = [];
  for (const site of shape.sites)
    sites.push((await api.sites.create({ name: site.name, project_id: pick(projects, site.project) })).id);
  const templateOf = new Map<string, string>();
  const pages: string[] = [];
  for (const [order, page] of shape.pages.entries()) {
    const id = await addPage(api, page, pick(projects, page.project), pick(sites, page.site), order);
    pages.push(id);
    if (page.template !== "") templateOf.set(id, page.template);
  }
  for (const product of shape.products)
    await api.products.create({
      name: product.name,
      description: product.text,
      cta_text: product.text,
      price: product.price,
      cta_target: product.flag,
      project_id: pick(projects, product.project),
    });
  for (const funnel of shape.funnels) {
    const steps = funnel.steps.map((step, position) => {
      const pageId = pick(pages, step);
      const target =
        pageId !== undefined && position % 3 < 2 ? { pageId } : { url: "https://pay.example/?a=1&b=%20#x" };
      return { ...target, pageType: ["presell", "sales", "thankyou"][position % 3] ?? "sales" };
    });
    await api.funnels.create({ name: funnel.name, project_id: pick(projects, funnel.project), pages: steps });
  }
  return templateOf;
}

async function addPage(
  api: LandformApi,
  page: PageShape,
  project_id: string | undefined,
  site_id: string | undefined,
  order: number,
): Promise<string> {
  const { name: called, template } = page;
  const attached = page.state === "attached" && template !== "" ? site_id : undefined;
  const fromTemplate = page.quiz ? api.quizzes.createFromTemplate : api.pages.createFromTemplate;
  const blank = page.quiz ? api.quizzes.create : api.pages.create;
  const { id } =
    template === ""
      ? await blank({ name: called, project_id })
      : await fromTemplate({ template_id: template, name: called, project_id, site_id: attached });
  const map = await api.builder.contentMap(id);
  const variables = Object.fromEntries(map.variables.map((variable) => [variable, "Acme"]));
  if (map.variables.length > 0) await api.pages.replaceVariables({ page_id: id, variables });
  const keys = new ContentFields(map.fields).keys();
  const updates = Object.fromEntries(page.texts.slice(0, keys.length).map((value, at) => [keys[at] ?? "", value]));
  if (Object.keys(updates).length > 0) await api.pages.updateContent({ page_id: id, updates });
  const ready = template !== "" && page.state === "published" && site_id !== undefined;
  if (ready) await api.pages.publish({ page_id: id, site_id, slug: order === 0 ? "" : `page-${order}` });
  return id;
}

function pick(ids: readonly string[], at: number): string | undefined {
  return ids.length === 0 || at === NONE ? undefined : ids[at % ids.length];
}

/** Operations that set, change and remove inputs. */
import { entriesOf, TYPES } from "../program.ts";
import { stepsOf } from "./declaring.ts";
import { BRANDS, fillIn, KEYS, type Operation, pick, TEMPLATES, TEXTS } from "./world.ts";

/** The optional inputs of products, with values that show a change. */
const PRODUCT_FIELDS: Record<string, readonly unknown[]> = {
  price: [1, 2.5, 9],
  comparePrice: [9, 19.99],
  sku: ["MUG-1", "MUG-2"],
  description: ["A mug", "Another mug"],
  image: ["https://img.example/a.png", "https://img.example/b.png"],
  ctaText: ["Buy", "Get it"],
  ctaUrl: ["https://shop.example/", "https://pay.example/x"],
  rating: ["4.2", "4.7"],
  ratingCount: ["12", "340"],
  showFullProduct: [true, false],
  ctaTarget: [true, false],
  trustBadges: [["Free shipping"], ["Free shipping", "30 days"]],
  variants: [
    [{ id: "s", name: "Small" }],
    [
      { id: "s", name: "Small" },
      { id: "l", name: "Large" },
    ],
  ],
  tiers: [[{ quantity: 2, price: 20 }], [{ quantity: 3, price: 25 }]],
  subscription: [{ enabled: true }, { enabled: true, discountPercent: 10 }, { enabled: false }],
};
const PAGE_FIELDS: Record<string, readonly unknown[]> = {
  tags: [["sale"], ["sale", "spring"], []],
  productLabel: ["Mug", "Set"],
  delay: [{ time: 3 }, { time: 12.5, scrollIntoView: true }],
};

export const changeName: Operation = ({ program, excuses }, { a, b }) => {
  const found = pick(entriesOf(program, "projects", "pages", "quizzes", "products", "funnels", "sites"), a);
  if (found === undefined) return undefined;
  if (found.section === "sites") {
    if (b % 4 !== 0) return undefined;
    excuses.push(/can't change a site/, /can't be changed on an existing site/);
    found.entry.name = `site${b}.example`;
  } else if (b % 4 === 0) delete found.entry.name;
  else found.entry.name = pick(["One", "Two", " padded ", "Ünï"], b) ?? "";
  return `name of ${found.section}.${found.key}: ${found.entry.name ?? "(none)"}`;
};

export const setField: Operation = ({ program }, { a, b, c }) => {
  const found = pick(entriesOf(program, "products", "pages", "quizzes"), a);
  if (found === undefined) return undefined;
  const fields = found.section === "products" ? PRODUCT_FIELDS : PAGE_FIELDS;
  const field = pick(Object.keys(fields), b) ?? "";
  found.entry[field] = structuredClone(pick(fields[field] ?? [], c));
  return `set ${found.section}.${found.key}.${field}: ${JSON.stringify(found.entry[field])}`;
};

export const dropField: Operation = ({ program, desk, stack, applied }, { a, b }) => {
  const found = pick(entriesOf(program, "products", "pages", "quizzes", "funnels"), a);
  if (found === undefined) return undefined;
  // Only a made page shows the needs of a template's placeholders. A page that somebody deleted is made anew from it.
  const there = new Set(desk.emulator.records()["pages"]?.map(({ id }) => id));
  const isMade =
    desk.state(stack).some(({ urn, id }) => urn.endsWith(`:${TYPES[found.section]}::${found.key}`) && there.has(id)) &&
    applied?.[found.section][found.key]?.template === found.entry.template;
  const others = ["content", "steps", ...(isMade ? ["variables"] : [])];
  const optional = Object.keys(found.entry).filter(
    (field) => field in PRODUCT_FIELDS || field in PAGE_FIELDS || others.includes(field),
  );
  const field = pick(optional, b);
  if (field === undefined) return undefined;
  Reflect.deleteProperty(found.entry, field);
  return `drop ${found.section}.${found.key}.${field}`;
};

export const setContent: Operation = ({ program }, { a, b, c }) => {
  const found = pick(
    entriesOf(program, "pages", "quizzes").filter(({ entry }) => entry.template !== undefined),
    a,
  );
  if (found === undefined) return undefined;
  const key = pick(KEYS, b) ?? "";
  found.entry.content = { ...found.entry.content, [key]: pick(TEXTS, c) };
  found.entry.variables ??= { brand: "Acme", support_email: "help@acme.example" };
  return `content ${found.section}.${found.key} ${key}: ${JSON.stringify(pick(TEXTS, c))}`;
};

export const dropContent: Operation = ({ program }, { a, b }) => {
  const found = pick(
    entriesOf(program, "pages", "quizzes").filter(({ entry }) => Object.keys(entry.content ?? {}).length > 1),
    a,
  );
  if (found === undefined) return undefined;
  const key = pick(Object.keys(found.entry.content ?? {}), b) ?? "";
  Reflect.deleteProperty(found.entry.content ?? {}, key);
  return `drop content ${found.section}.${found.key} ${key}`;
};

export const setVariable: Operation = ({ program }, { a, b }) => {
  const found = pick(
    entriesOf(program, "pages", "quizzes").filter(({ entry }) => entry.variables !== undefined),
    a,
  );
  if (found === undefined) return undefined;
  found.entry.variables = { ...found.entry.variables, brand: pick(BRANDS, b) ?? "" };
  return `brand of ${found.section}.${found.key}: ${found.entry.variables["brand"] ?? ""}`;
};

export const changeTemplate: Operation = ({ program, desk, stack, excuses }, { a, b }) => {
  const found = pick(
    entriesOf(program, "pages").filter(({ entry }) => entry.template !== undefined),
    a,
  );
  if (found === undefined) return undefined;
  // A page that was never made, or that somebody deleted, may be declared blank, and then has no texts.
  const there = new Set(desk.emulator.records()["pages"]?.map(({ id }) => id));
  const exists = desk.state(stack).some(({ urn, id }) => urn.endsWith(`:Page::${found.key}`) && there.has(id));
  if (b % 5 === 0 && exists) {
    delete found.entry.template;
    excuses.push(/templateId: the page was made from it/);
  } else found.entry.template = found.entry.template === TEMPLATES[0] ? (TEMPLATES[1] ?? "") : (TEMPLATES[0] ?? "");
  fillIn(found.entry);
  excuses.push(/is protected/, /remove adoptId/);
  return `template of pages.${found.key}: ${found.entry.template ?? "(none)"}`;
};

export const changeProject: Operation = ({ program, excuses }, { a, b }) => {
  const found = pick(entriesOf(program, "pages", "products", "funnels", "quizzes"), a);
  const project = pick(Object.keys(program.projects), b);
  if (found === undefined || project === undefined) return undefined;
  found.entry.project = project;
  fillIn(found.entry);
  excuses.push(/is protected/, /remove adoptId/, /can't be changed on an existing funnel/);
  return `project of ${found.section}.${found.key}: ${project}`;
};

export const changeSteps: Operation = ({ program }, { a, b, c }) => {
  const found = pick(entriesOf(program, "funnels"), a);
  if (found === undefined) return undefined;
  found.entry.steps = stepsOf(program, b, c);
  return `steps of ${found.key}: ${JSON.stringify(found.entry.steps)}`;
};

/** What a team does between two applies: in the code, and in the app. Numbers choose, so that a walk can be repeated. */
import type { WalkDesk } from "./desk.ts";
import {
  dropDangling,
  type Address,
  type Entry,
  entriesOf,
  isConsistent,
  type Program,
  renameReferences,
  type Section,
} from "./program.ts";

export interface World {
  readonly desk: WalkDesk;
  program: Program;
  /** Counts what was declared, so that no logical name comes twice. */
  made: number;
  /** Ids of objects that somebody changed in the app since a refresh was last applied. */
  readonly byHand: Set<string>;
  /** What was refused or failed for a reason that the operations of this step give. */
  readonly excuses: RegExp[];
  /** Options that a refusal advised. */
  readonly advised: Set<string>;
}

export interface Choice {
  readonly what: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** What is said of what somebody deleted in the app. */
export const GONE = [/is no longer in the account/, /adoptId: there is no/, /There is no \w+ with the id/];

/** Tells what was done; undefined where there was nothing to do it to. */
type Operation = (world: World, choice: Choice) => string | undefined | Promise<string | undefined>;

const TEXT = "A text about the brand, its customers and what it offers them, word by word. ".repeat(3);
const TEMPLATES = ["tpl-hero", "tpl-thankyou"];
const KEYS = ["hero.title", "hero.text", "top.brand"];
const TEXTS = ["Hello", "Until Friday", "Hello {{brand}}!", "{{brand}} for all", 'ÄÖ 🎉 #1: "quoted"', " two\nlines "];
const BRANDS = ["Acme", "Zen", "Big & Co", "$1"];
const SLUGS = ["", "a", "b", "c", "d", "deep/er"];

/** The optional inputs of products, with values that tell of a change. */
const PRODUCT_FIELDS: Record<string, readonly unknown[]> = {
  price: [1, 2.5, 1000],
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

function pick<Item>(list: readonly Item[], number: number): Item | undefined {
  return list.length === 0 ? undefined : list[number % list.length];
}

function keyFor(world: World, section: Section): string {
  world.made += 1;
  return `${section.slice(0, 2)}${world.made}`;
}

const declare: Operation = (world, { a, b, c }) => {
  const { program } = world;
  const section =
    pick(["products", "pages", "pages", "pages", "funnels", "sites", "projects", "quizzes", "hooks"] as const, a) ??
    "pages";
  const key = keyFor(world, section);
  const project = pick([undefined, ...Object.keys(program.projects)], b);
  const entry = newEntry(world, section, b, c);
  if (project !== undefined && ["pages", "products", "funnels", "quizzes"].includes(section)) entry.project = project;
  program[section][key] = entry;
  return `declare ${section}.${key} ${JSON.stringify(entry)}`;
};

function newEntry({ program, made }: World, section: Section, b: number, c: number): Entry {
  if (section === "projects") return { description: TEXT, context: TEXT };
  if (section === "sites") return { name: `site${made}.example` };
  if (section === "products")
    return { price: (b % 9) + 1, ...(c % 2 === 0 ? { name: pick(["Mug", "Cup"], c) ?? "" } : {}) };
  if (section === "hooks")
    return { eventType: pick(["form_lead.created", "quiz_lead.created"], b), targetUrl: `https://8.8.8.8/${c % 3}` };
  if (section === "funnels") return { steps: stepsOf(program, b, c) };
  const entry: Entry = { variables: { brand: pick(BRANDS, b) ?? "", support_email: "help@acme.example" } };
  const quiz = section === "quizzes";
  if (quiz || b % 5 !== 4) {
    entry.template = quiz ? "tpl-quiz-plan" : (pick(TEMPLATES, c) ?? "");
    entry.content = { [pick(KEYS, b) ?? ""]: pick(TEXTS, c) };
    const site = pick(Object.keys(program.sites), c);
    const slug = freeSlug(program, site, b);
    if (site !== undefined && slug !== undefined && c % 4 !== 3) entry.publish = { site, slug };
  } else delete entry.variables;
  return entry;
}

function stepsOf(program: Program, b: number, c: number): NonNullable<Entry["steps"]> {
  const page = pick(Object.keys(program.pages), b);
  const quiz = pick(Object.keys(program.quizzes), c);
  return [
    ...(page === undefined ? [] : [{ page, pageType: "presell" }]),
    ...(quiz === undefined || b % 3 === 0 ? [] : [{ quiz, pageType: "quiz" }]),
    { url: `https://pay.example/${c % 3}`, pageType: "sales" },
  ];
}

function freeSlug(program: Program, site: string | undefined, number: number): string | undefined {
  const taken = entriesOf(program, "pages", "quizzes").flatMap(({ entry: { publish } }) =>
    publish?.site === site ? [publish?.slug ?? ""] : [],
  );
  return pick(
    SLUGS.filter((slug) => !taken.includes(slug)),
    number,
  );
}

const remove: Operation = ({ program, excuses }, { a }) => {
  const found = pick(entriesOf(program), a);
  if (found === undefined) return undefined;
  Reflect.deleteProperty(program[found.section], found.key);
  dropDangling(program);
  // A site's project can't be taken back, nor can a page lose what it was made with.
  excuses.push(/can't change a site/, /it can't be deleted, since this belongs to it and stays/, /is protected/);
  return `remove ${found.section}.${found.key}`;
};

const changeName: Operation = ({ program, excuses }, { a, b }) => {
  const found = pick(entriesOf(program, "projects", "pages", "quizzes", "products", "funnels", "sites"), a);
  if (found === undefined) return undefined;
  if (found.section === "sites") {
    if (b % 4 !== 0) return undefined;
    excuses.push(/can't change a site/);
    found.entry.name = `site${b}.example`;
  } else if (b % 4 === 0) delete found.entry.name;
  else found.entry.name = pick(["One", "Two", " padded ", "Ünï"], b) ?? "";
  return `name of ${found.section}.${found.key}: ${found.entry.name ?? "(none)"}`;
};

const setField: Operation = ({ program }, { a, b, c }) => {
  const found = pick(entriesOf(program, "products", "pages", "quizzes"), a);
  if (found === undefined) return undefined;
  const fields = found.section === "products" ? PRODUCT_FIELDS : PAGE_FIELDS;
  const field = pick(Object.keys(fields), b) ?? "";
  found.entry[field] = structuredClone(pick(fields[field] ?? [], c));
  return `set ${found.section}.${found.key}.${field}: ${JSON.stringify(found.entry[field])}`;
};

const dropField: Operation = ({ program }, { a, b }) => {
  const found = pick(entriesOf(program, "products", "pages", "quizzes", "funnels"), a);
  if (found === undefined) return undefined;
  const optional = Object.keys(found.entry).filter(
    (field) => field in PRODUCT_FIELDS || field in PAGE_FIELDS || ["content", "steps", "variables"].includes(field),
  );
  const field = pick(optional, b);
  if (field === undefined) return undefined;
  Reflect.deleteProperty(found.entry, field);
  return `drop ${found.section}.${found.key}.${field}`;
};

const setContent: Operation = ({ program }, { a, b, c }) => {
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

const dropContent: Operation = ({ program }, { a, b }) => {
  const found = pick(
    entriesOf(program, "pages", "quizzes").filter(({ entry }) => Object.keys(entry.content ?? {}).length > 1),
    a,
  );
  if (found === undefined) return undefined;
  const key = pick(Object.keys(found.entry.content ?? {}), b) ?? "";
  Reflect.deleteProperty(found.entry.content ?? {}, key);
  return `drop content ${found.section}.${found.key} ${key}`;
};

const setVariable: Operation = ({ program }, { a, b }) => {
  const found = pick(
    entriesOf(program, "pages", "quizzes").filter(({ entry }) => entry.variables !== undefined),
    a,
  );
  if (found === undefined) return undefined;
  found.entry.variables = { ...found.entry.variables, brand: pick(BRANDS, b) ?? "" };
  return `brand of ${found.section}.${found.key}: ${found.entry.variables["brand"] ?? ""}`;
};

const changeTemplate: Operation = ({ program, desk, excuses }, { a, b }) => {
  const found = pick(
    entriesOf(program, "pages").filter(({ entry }) => entry.template !== undefined),
    a,
  );
  if (found === undefined) return undefined;
  // A page that was never made may well be declared blank, and then has no texts.
  const exists = desk.state().some(({ urn }) => urn.endsWith(`:Page::${found.key}`));
  if (b % 5 === 0 && exists) {
    delete found.entry.template;
    excuses.push(/templateId: the page was made from it/);
  } else found.entry.template = found.entry.template === TEMPLATES[0] ? (TEMPLATES[1] ?? "") : (TEMPLATES[0] ?? "");
  excuses.push(/is protected/);
  return `template of pages.${found.key}: ${found.entry.template ?? "(none)"}`;
};

const published = (program: Program) =>
  entriesOf(program, "pages", "quizzes").filter(({ entry }) => entry.publish !== undefined);

const changeSlug: Operation = ({ program }, { a, b }) => {
  const found = pick(published(program), a);
  const publish = found?.entry.publish;
  if (found === undefined || publish === undefined) return undefined;
  publish.slug = pick(SLUGS, b) ?? "";
  return `slug of ${found.section}.${found.key}: ${publish.slug}`;
};

/** Two pages swap, three or more go round. */
const rotateSlugs: Operation = ({ program }, { a, b }) => {
  const site = pick(Object.keys(program.sites), a);
  const pages = published(program)
    .filter(({ entry }) => entry.publish?.site === site)
    .slice(0, 2 + (b % 3));
  if (pages.length < 2) return undefined;
  const slugs = pages.map(({ entry }) => entry.publish?.slug ?? "");
  for (const [index, { entry }] of pages.entries()) {
    if (entry.publish) entry.publish.slug = slugs[(index + 1) % slugs.length] ?? "";
  }
  return `rotate ${pages.map(({ key }) => key).join(", ")} on ${site ?? ""}`;
};

const changeSite: Operation = ({ program, excuses }, { a, b }) => {
  const found = pick(published(program), a);
  const publish = found?.entry.publish;
  const site = pick(Object.keys(program.sites), b);
  if (found === undefined || publish === undefined || site === undefined) return undefined;
  publish.site = site;
  excuses.push(/is protected/);
  return `site of ${found.section}.${found.key}: ${site}`;
};

const togglePublish: Operation = ({ program, excuses }, { a, b, c }) => {
  const found = pick(
    entriesOf(program, "pages", "quizzes").filter(({ entry }) => entry.template !== undefined),
    a,
  );
  if (found === undefined) return undefined;
  excuses.push(/is protected/);
  if (found.entry.publish !== undefined) {
    delete found.entry.publish;
    return `no longer published: ${found.section}.${found.key}`;
  }
  const site = pick(Object.keys(program.sites), b);
  const slug = freeSlug(program, site, c);
  if (site === undefined || slug === undefined) return undefined;
  found.entry.publish = { site, slug };
  return `publish ${found.section}.${found.key} at ${site}/${slug}`;
};

const changeProject: Operation = ({ program, excuses }, { a, b }) => {
  const found = pick(entriesOf(program, "pages", "products", "funnels", "quizzes"), a);
  const project = pick(Object.keys(program.projects), b);
  if (found === undefined || project === undefined) return undefined;
  found.entry.project = project;
  excuses.push(/is protected/);
  return `project of ${found.section}.${found.key}: ${project}`;
};

const changeSteps: Operation = ({ program }, { a, b, c }) => {
  const found = pick(entriesOf(program, "funnels"), a);
  if (found === undefined) return undefined;
  found.entry.steps = stepsOf(program, b, c);
  return `steps of ${found.key}: ${JSON.stringify(found.entry.steps)}`;
};

const rename: Operation = (world, { a, b }) => {
  const { program, excuses } = world;
  const found = pick(entriesOf(program), a);
  if (found === undefined) return undefined;
  const { section, key, entry } = found;
  const next = keyFor(world, section);
  const withAlias = b % 3 !== 0;
  renameReferences(program, { section, key }, next);
  Reflect.deleteProperty(program[section], key);
  program[section][next] = withAlias
    ? { ...entry, options: { ...entry.options, aliases: [...(entry.options?.aliases ?? []), key] } }
    : entry;
  if (!withAlias) {
    excuses.push(
      /its logical name changed/,
      /is protected/,
      /is taken|has the path/,
      /it can't be deleted, since this/,
    );
    // An alias of before names what is deleted now.
    delete entry.options?.aliases;
  }
  return `rename ${section}.${key} to ${next}${withAlias ? ", with an alias" : ""}`;
};

const setOption: Operation = ({ program }, { a, b, c }) => {
  const found = pick(entriesOf(program, "projects", "pages", "quizzes", "products", "funnels"), a);
  if (found === undefined) return undefined;
  const { entry, section, key } = found;
  const option = pick(["protect", "retainOnDelete", "ignoreChanges", "ignoreChanges"] as const, b) ?? "protect";
  const { [option]: before, ...rest } = entry.options ?? {};
  if (before !== undefined) entry.options = rest;
  else entry.options = { ...rest, [option]: option === "ignoreChanges" ? [ignorable(section, c)] : true };
  return `${option} of ${section}.${key}: ${JSON.stringify(entry.options)}`;
};

function ignorable(section: Section, number: number): string {
  if (section === "products") return pick(["price", "sku", "variants"], number) ?? "";
  if (section === "projects" || section === "funnels") return "name";
  return pick([...KEYS.map((key) => `content["${key}"]`), "tags", "content", "variables", "name"], number) ?? "";
}

/** A product becomes the resource's own by its id, or another one does. */
const changeAdoptId: Operation = async ({ program, desk, excuses }, { a, b }) => {
  const found = pick(entriesOf(program, "products"), a);
  if (found === undefined) return undefined;
  excuses.push(/is protected/);
  if (found.entry.adoptId !== undefined && b % 2 === 0) {
    delete found.entry.adoptId;
    return `no adoptId for products.${found.key}`;
  }
  const { id } = (await desk.byHand("POST", "/products", { name: "Theirs", price: 7 })) as { id: string };
  found.entry.adoptId = id;
  return `adoptId of products.${found.key}: ${id}`;
};

/** What is in the app, by kind. */
interface Object {
  readonly section: Section;
  readonly id: string;
}

function managed({ desk }: World, ...sections: Section[]): Object[] {
  const kinds: Record<string, Section> = {
    Project: "projects",
    Site: "sites",
    Page: "pages",
    Quiz: "quizzes",
    Product: "products",
    Funnel: "funnels",
  };
  const there = new Set(Object.values(desk.emulator.records()).flatMap((records) => records.map(({ id }) => id)));
  return desk.state().flatMap(({ type, id }) => {
    if (!there.has(id)) return [];
    const section = kinds[type.split(":").at(-1) ?? ""];
    return section !== undefined && sections.includes(section) ? [{ section, id }] : [];
  });
}

const editContent: Operation = async (world, { a, b, c }) => {
  const found = pick(managed(world, "pages", "quizzes"), a);
  if (found === undefined) return undefined;
  const key = pick(KEYS, b) ?? "";
  await world.desk.byHand("PATCH", "/pages/content", { page_id: found.id, updates: { [key]: `By hand ${c % 3}` } });
  world.byHand.add(found.id);
  return `in the app: content of ${found.id} ${key}`;
};

const renameInApp: Operation = async (world, { a, b }) => {
  const found = pick(managed(world, "pages", "quizzes", "products", "funnels", "projects"), a);
  if (found === undefined) return undefined;
  const name = `App ${b % 3}`;
  if (found.section === "products")
    await world.desk.byHand("PATCH", "/products", { product_id: found.id, name, price: b % 2 === 0 ? 77 : undefined });
  else if (found.section === "funnels")
    await world.desk.byHand("PATCH", "/funnels", { funnel_id: found.id, name, ...(b % 2 === 0 && { pages: [] }) });
  else if (found.section === "projects") await world.desk.byHand("PATCH", `/projects/${found.id}`, { name });
  else await world.desk.byHand("PATCH", "/pages/metadata", { page_id: found.id, name });
  world.byHand.add(found.id);
  return `in the app: ${found.section} ${found.id} is called ${name}${b % 2 === 0 ? ", and more" : ""}`;
};

const moveInApp: Operation = async (world, { a, b }) => {
  const pages = world.desk.emulator.records()["pages"] as {
    id: string;
    status: string;
    siteId: string;
    slug: string;
  }[];
  const ours = new Set(managed(world, "pages", "quizzes").map(({ id }) => id));
  const found = pick(
    pages.filter(({ id, status }) => ours.has(id) && status === "published"),
    a,
  );
  const slug = `by-hand-${b % 3}`;
  if (found === undefined || pages.some((page) => page.siteId === found.siteId && page.slug === slug)) return undefined;
  await world.desk.byHand("POST", "/pages/publish", { page_id: found.id, site_id: found.siteId, slug });
  world.byHand.add(found.id);
  return `in the app: ${found.id} moves to ${slug}`;
};

const deleteInApp: Operation = async (world, { a }) => {
  world.excuses.push(...GONE);
  const found = pick(managed(world, "pages", "quizzes", "products"), a);
  if (found === undefined) return undefined;
  await world.desk.byHand("DELETE", `/${found.section === "products" ? "products" : "pages"}/${found.id}`);
  world.byHand.add(found.id);
  return `in the app: ${found.section} ${found.id} is deleted`;
};

const addInApp: Operation = async ({ desk }, { a, b }) => {
  const project = pick(
    desk.state().filter(({ type }) => type.endsWith(":Project")),
    b,
  );
  const body = { name: "Theirs", ...(a % 2 === 0 && project !== undefined ? { project_id: project.id } : {}) };
  const path = pick(["/products", "/pages", "/funnels"], a) ?? "";
  const { id } = (await desk.byHand("POST", path, body)) as { id: string };
  return `in the app: somebody makes ${id} ${JSON.stringify(body)}`;
};

/** Each as often as it stands here; the first is what a walk shrinks to. */
const OPERATIONS: readonly Operation[] = [
  () => undefined,
  declare,
  declare,
  declare,
  declare,
  remove,
  changeName,
  setField,
  setField,
  dropField,
  setContent,
  setContent,
  dropContent,
  setVariable,
  changeTemplate,
  changeSlug,
  rotateSlugs,
  rotateSlugs,
  changeSite,
  togglePublish,
  changeProject,
  changeSteps,
  rename,
  rename,
  setOption,
  setOption,
  changeAdoptId,
  editContent,
  renameInApp,
  moveInApp,
  deleteInApp,
  addInApp,
];

export const OPERATION_COUNT = OPERATIONS.length;

/** Does one thing; what would leave a manifest that contradicts itself is not done. */
export async function operate(world: World, choice: Choice): Promise<string | undefined> {
  const before = structuredClone(world.program);
  const done = await OPERATIONS[choice.what % OPERATIONS.length]?.(world, choice);
  if (isConsistent(world.program)) return done;
  world.program = before;
  return undefined;
}

export type { Address };

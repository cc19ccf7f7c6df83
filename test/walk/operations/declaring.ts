/** Operations that add, remove and rename entries. */
import { dropDangling, type Entry, entriesOf, type Program, renameReferences, type Section } from "../program.ts";
import { freeSlug } from "./publishing.ts";
import { BRANDS, fillIn, KEYS, keyFor, type Operation, pick, TEMPLATES, TEXT, TEXTS, type World } from "./world.ts";

export const declare: Operation = (world, { a, b, c }) => {
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

function newEntry({ program, names: { made } }: World, section: Section, b: number, c: number): Entry {
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

export function stepsOf(program: Program, b: number, c: number): NonNullable<Entry["steps"]> {
  const page = pick(Object.keys(program.pages), b);
  const quiz = pick(Object.keys(program.quizzes), c);
  return [
    ...(page === undefined ? [] : [{ page, pageType: "presell" }]),
    ...(quiz === undefined || b % 3 === 0 ? [] : [{ quiz, pageType: "quiz" }]),
    { url: `https://pay.example/${c % 3}`, pageType: "sales" },
  ];
}

export const remove: Operation = ({ program, excuses }, { a }) => {
  const found = pick(entriesOf(program), a);
  if (found === undefined) return undefined;
  Reflect.deleteProperty(program[found.section], found.key);
  dropDangling(program);
  for (const { entry } of entriesOf(program, "pages", "quizzes")) fillIn(entry);
  // A site's project can't be taken back, and a page can't lose the values that it was made with.
  excuses.push(
    /can't change a site/,
    /it can't be deleted, because it still has these/,
    /is protected/,
    /remove adoptId/,
    // A page that stays keeps its path.
    ...(found.entry.options?.retainOnDelete === true ? [/is taken on this site by/] : []),
  );
  return `remove ${found.section}.${found.key}`;
};

export const rename: Operation = (world, { a, b }) => {
  const { program, excuses } = world;
  const found = pick(entriesOf(program), a);
  if (found === undefined) return undefined;
  const { section, key, entry } = found;
  const next = keyFor(world, section);
  // If a page's template is gone from the code, the page would be made anew blank, without its fields.
  const isBlank = section === "pages" && entry["template"] === undefined && entry.adoptId === undefined;
  const withAlias = b % 3 !== 0 || isBlank;
  renameReferences(program, { section, key }, next);
  Reflect.deleteProperty(program[section], key);
  program[section][next] = withAlias
    ? { ...entry, options: { ...entry.options, aliases: [...(entry.options?.aliases ?? []), key] } }
    : entry;
  if (!withAlias) {
    // A new page is made from the template, without the values of the old one.
    fillIn(entry);
    excuses.push(/its logical name changed/, /is protected/, /is taken|has the path/, /it can't be deleted, because/);
    // An earlier alias names an entry that is deleted now.
    delete entry.options?.aliases;
  }
  return `rename ${section}.${key} to ${next}${withAlias ? ", with an alias" : ""}`;
};

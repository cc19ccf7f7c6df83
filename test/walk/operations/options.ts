/** Operations on options of resources, and on the choice of their object. */
import { type Entry, entriesOf, type Section } from "../program.ts";
import { fillIn, KEYS, type Operation, pick, TEMPLATES, type World } from "./world.ts";

export const setOption: Operation = ({ program }, { a, b, c }) => {
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

/** Replaces a kept or protected resource in one step. */
export const replaceKept: Operation = ({ program, excuses }, { a, b, c }) => {
  const found = pick(
    entriesOf(program, "pages", "funnels").filter(
      ({ section, entry }) => section === "funnels" || entry.template !== undefined,
    ),
    a,
  );
  const project = pick(Object.keys(program.projects), c);
  if (found === undefined) return undefined;
  const { entry, section, key } = found;
  const kept: Entry["options"] = b % 4 === 0 ? { protect: true } : { retainOnDelete: true };
  if (entry.template !== undefined && (project === undefined || b % 2 === 0))
    entry.template = TEMPLATES.find((one) => one !== entry.template) ?? "";
  else if (project !== undefined) entry.project = project;
  else return undefined;
  entry.options = { ...entry.options, ...kept };
  fillIn(entry);
  excuses.push(/is protected/, /remove adoptId/);
  return `${JSON.stringify(kept)} and another template or project for ${section}.${key}`;
};

/** Makes an object the resource's own by its id, or changes it to another one. */
export const changeAdoptId: Operation = async (world, { a, b }) => {
  const { program, excuses } = world;
  const found = pick(
    entriesOf(program, "products", "products", "funnels", "pages").filter(
      ({ section, entry }) => section !== "pages" || entry.template !== undefined,
    ),
    a,
  );
  if (found === undefined) return undefined;
  const { section, key, entry } = found;
  excuses.push(/is protected/, /can't be changed on an existing funnel/);
  fillIn(entry);
  if (entry.adoptId !== undefined && b % 2 === 0) {
    delete entry.adoptId;
    return `no adoptId for ${section}.${key}`;
  }
  entry.adoptId = await theirs(world, section, entry);
  return `adoptId of ${section}.${key}: ${entry.adoptId}`;
};

async function theirs({ desk }: World, section: Section, { template = "" }: Entry): Promise<string> {
  const made =
    section === "pages"
      ? desk.byHand("POST", "/pages/from-template", { template_id: template, name: "Theirs" })
      : desk.byHand("POST", `/${section}`, { name: "Theirs", ...(section === "products" && { price: 7 }) });
  return ((await made) as { id: string }).id;
}

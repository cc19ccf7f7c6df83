/** Operations of people in the app. */
import { type Entry, entriesOf, type Section } from "../program.ts";
import { fillIn, GONE, KEYS, type Operation, pick, type World } from "./world.ts";
import { editInApp, publishInApp } from "../../suite/app.ts";

type Managed = Readonly<{ section: Section; id: string }>;

const SECTION_OF: Readonly<Record<string, Section>> = {
  Project: "projects",
  Site: "sites",
  Page: "pages",
  Quiz: "quizzes",
  Product: "products",
  Funnel: "funnels",
};

/** Returns the existing objects of the stack. */
function managed({ desk, stack }: World, ...sections: Section[]): Managed[] {
  const there = new Set(Object.values(desk.emulator.records()).flatMap((records) => records.map(({ id }) => id)));
  return desk.state(stack).flatMap(({ type, id }) => {
    if (!there.has(id)) return [];
    const section = SECTION_OF[type.split(":").at(-1) ?? ""];
    return section !== undefined && sections.includes(section) ? [{ section, id }] : [];
  });
}

export const editContent: Operation = async (world, { a, b, c }) => {
  const found = pick(managed(world, "pages", "quizzes"), a);
  if (found === undefined) return undefined;
  const key = pick(KEYS, b) ?? "";
  await editInApp(world.desk, found.id, { [key]: `By hand ${c % 3}` });
  world.byHand.add(found.id);
  return `in the app: content of ${found.id} ${key}`;
};

export const renameInApp: Operation = async (world, { a, b }) => {
  const found = pick(managed(world, "pages", "quizzes", "products", "funnels", "projects"), a);
  if (found === undefined) return undefined;
  const { section, id } = found;
  const name = `App ${b % 3}`;
  const { desk } = world;
  if (section === "products") await desk.byHand("PATCH", "/products", { product_id: id, name, ...theirPrice(b) });
  else if (section === "funnels") await desk.byHand("PATCH", "/funnels", { funnel_id: id, name });
  else if (section === "projects") await desk.byHand("PATCH", `/projects/${id}`, { name });
  else await desk.byHand("PATCH", "/pages/metadata", { page_id: id, name });
  world.byHand.add(id);
  return `in the app: ${section} ${id} is called ${name}${b % 2 === 0 ? ", and more" : ""}`;
};

function theirPrice(number: number): { price?: number } {
  return number % 2 === 0 ? { price: 7 } : {};
}

export const changeStepsInApp: Operation = async (world, { a, b }) => {
  const found = pick(managed(world, "funnels"), a);
  if (found === undefined) return undefined;
  const pages = b % 3 === 0 ? [{ url: "https://theirs.example", pageType: "sales" }] : [];
  await world.desk.byHand("PATCH", "/funnels", { funnel_id: found.id, pages });
  world.byHand.add(found.id);
  return `in the app: steps of ${found.id}: ${JSON.stringify(pages)}`;
};

export const moveInApp: Operation = async (world, { a, b }) => {
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
  await publishInApp(world.desk, found.id, { siteId: found.siteId, slug });
  world.byHand.add(found.id);
  return `in the app: ${found.id} moves to ${slug}`;
};

/** A quiz goes with the page that hosts it. */
export const deleteInApp: Operation = async (world, { a, b }) => {
  world.excuses.push(...GONE);
  const quizzes = managed(world, "quizzes");
  const found = pick(b % 3 === 0 && quizzes.length > 0 ? quizzes : managed(world, "pages", "quizzes", "products"), a);
  // If a person has removed a template, the page can't be made anew.
  const isBlank = ({ template, content, publish }: Entry): boolean =>
    template === undefined && (content !== undefined || publish !== undefined);
  if (found === undefined || entriesOf(world.program, "pages").some(({ entry }) => isBlank(entry))) return undefined;
  await world.desk.byHand("DELETE", `/${found.section === "products" ? "products" : "pages"}/${found.id}`);
  world.byHand.add(found.id);
  for (const { entry } of entriesOf(world.program, "pages", "quizzes")) fillIn(entry);
  return `in the app: ${found.section} ${found.id} is deleted`;
};

export const addInApp: Operation = async ({ desk, stack }, { a, b }) => {
  const project = pick(
    desk.state(stack).filter(({ type }) => type.endsWith(":Project")),
    b,
  );
  const body = { name: "Theirs", ...(a % 2 === 0 && project !== undefined ? { project_id: project.id } : {}) };
  const path = pick(["/products", "/pages", "/funnels"], a) ?? "";
  const { id } = (await desk.byHand("POST", path, body)) as { id: string };
  return `in the app: somebody makes ${id} ${JSON.stringify(body)}`;
};

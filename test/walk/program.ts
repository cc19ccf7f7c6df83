/** The program of a walk: the declarations of its landform.yaml, as plain data that the operations change. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export const SECTIONS = ["projects", "sites", "pages", "quizzes", "products", "funnels", "hooks"] as const;
export type Section = (typeof SECTIONS)[number];

export type Options = { aliases?: string[]; ignoreChanges?: string[]; protect?: boolean; retainOnDelete?: boolean };

/** A key of the same file. An export refers by id to objects that it leaves out. */
export type Reference = string | { id: string };

export type Publish = { site: Reference; slug?: string };

export type Step =
  { page: Reference; pageType: string } | { quiz: Reference; pageType: string } | { url: string; pageType: string };

export interface Entry {
  name?: string;
  project?: Reference;
  description?: string;
  context?: string;
  template?: string;
  content?: Record<string, unknown>;
  variables?: Record<string, string>;
  publish?: Publish;
  steps?: Step[];
  adoptId?: string;
  options?: Options;
  [field: string]: unknown;
}

export type Program = Record<Section, Record<string, Entry>>;

export type Address = Readonly<{ section: Section; key: string }>;

export const emptyProgram = (): Program => Object.fromEntries(SECTIONS.map((section) => [section, {}])) as Program;

export function entriesOf(program: Program, ...sections: Section[]): (Address & { entry: Entry })[] {
  const chosen = sections.length > 0 ? sections : SECTIONS;
  return chosen.flatMap((section) => Object.entries(program[section]).map(([key, entry]) => ({ section, key, entry })));
}

/** Returns the manifest with its non-empty sections. */
export function manifestOf(program: Program): object {
  const sections = SECTIONS.filter((section) => Object.keys(program[section]).length > 0);
  return { landform: 1, name: "walk", ...Object.fromEntries(sections.map((section) => [section, program[section]])) };
}

/** Returns the declarations of a manifest, with the texts of its files in place. */
export function programIn(folder: string, text: string): Program {
  const { landform: _, name: __, ...sections } = withTexts(folder, parse(text)) as Record<string, unknown>;
  const unknown = Object.keys(sections).filter((section) => !SECTIONS.some((one) => one === section));
  if (unknown.length > 0) throw new Error(`a walk knows nothing of ${unknown.join(", ")}`);
  return { ...emptyProgram(), ...Object.fromEntries(Object.entries(sections).filter(([, value]) => value !== null)) };
}

function withTexts(folder: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withTexts(folder, item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [[key, file] = []] = entries;
  if (entries.length === 1 && key === "file") return readFileSync(join(folder, String(file)), "utf8");
  return Object.fromEntries(entries.map(([name, item]) => [name, withTexts(folder, item)]));
}

/** The type of each section's resources, without its namespace. */
export const TYPES: Readonly<Record<Section, string>> = {
  projects: "Project",
  sites: "Site",
  pages: "Page",
  quizzes: "Quiz",
  products: "Product",
  funnels: "Funnel",
  hooks: "Hook",
};

export const urnOf = (stack: string, section: Section, key: string): string =>
  `urn:pulumi:${stack}::walk::pulumi-nodejs:dynamic/landform:${TYPES[section]}::${key}`;

/** Tells if a reference leads to an existing entry, or is no key. */
const isThere = (reference: Reference, entries: Record<string, Entry>): boolean =>
  typeof reference !== "string" || reference in entries;

/** Removes references to missing entries, as a person does who removes an entry. */
export function dropDangling(program: Program): void {
  for (const { entry } of entriesOf(program)) {
    if (entry.project !== undefined && !isThere(entry.project, program.projects)) delete entry.project;
    if (entry.publish !== undefined && !isThere(entry.publish.site, program.sites)) delete entry.publish;
    entry.steps = entry.steps?.filter((step) =>
      "page" in step ? isThere(step.page, program.pages) : "quiz" in step ? isThere(step.quiz, program.quizzes) : true,
    );
    if (entry.steps === undefined) delete entry.steps;
  }
}

/** Changes every reference to one entry of a section to another. */
export function renameReferences(program: Program, { section, key }: Address, next: string): void {
  for (const { entry } of entriesOf(program)) {
    if (section === "projects" && entry.project === key) entry.project = next;
    if (section === "sites" && entry.publish?.site === key) entry.publish.site = next;
    for (const step of entry.steps ?? []) {
      if (section === "pages" && "page" in step && step.page === key) step.page = next;
      if (section === "quizzes" && "quiz" in step && step.quiz === key) step.quiz = next;
    }
  }
}

/**
 * Tells if all paths of pages and names of sites are different. Other tests cover the refusal of equal ones. `siteId`: the id of a site of the
 * program, which an export may have written in place of its key.
 */
export function isConsistent(program: Program, siteId: (key: string) => string | undefined): boolean {
  const siteOf = (site: Reference): string => (typeof site === "string" ? (siteId(site) ?? site) : site.id);
  const paths = entriesOf(program, "pages", "quizzes").flatMap(({ entry: { publish } }) =>
    publish === undefined ? [] : [`${siteOf(publish.site)}/${publish.slug ?? ""}`],
  );
  const names = entriesOf(program, "sites").map(({ key, entry }) => entry.name ?? key);
  const adopted = entriesOf(program).flatMap(({ entry: { adoptId } }) => adoptId ?? []);
  return [paths, names, adopted].every((list) => new Set(list).size === list.length);
}

/** The program of a walk: what its landform.yaml declares, as plain data that the operations change. */

export const SECTIONS = ["projects", "sites", "pages", "quizzes", "products", "funnels", "hooks"] as const;
export type Section = (typeof SECTIONS)[number];

export interface Options {
  aliases?: string[];
  ignoreChanges?: string[];
  protect?: boolean;
  retainOnDelete?: boolean;
}

export interface Publish {
  site: string;
  slug?: string;
}

export type Step =
  { page: string; pageType: string } | { quiz: string; pageType: string } | { url: string; pageType: string };

export interface Entry {
  name?: string;
  project?: string;
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

export interface Address {
  readonly section: Section;
  readonly key: string;
}

export function emptyProgram(): Program {
  return Object.fromEntries(SECTIONS.map((section) => [section, {}])) as Program;
}

export function entriesOf(program: Program, ...sections: Section[]): (Address & { entry: Entry })[] {
  const chosen = sections.length > 0 ? sections : SECTIONS;
  return chosen.flatMap((section) => Object.entries(program[section]).map(([key, entry]) => ({ section, key, entry })));
}

/** With its sections that hold something. */
export function manifestOf(program: Program): object {
  const sections = SECTIONS.filter((section) => Object.keys(program[section]).length > 0);
  return { landform: 1, name: "walk", ...Object.fromEntries(sections.map((section) => [section, program[section]])) };
}

/** Takes out what refers to entries that are not there, as somebody does who removes one. */
export function dropDangling(program: Program): void {
  for (const { entry } of entriesOf(program)) {
    if (entry.project !== undefined && !(entry.project in program.projects)) delete entry.project;
    if (entry.publish !== undefined && !(entry.publish.site in program.sites)) delete entry.publish;
    entry.steps = entry.steps?.filter((step) =>
      "page" in step ? step.page in program.pages : "quiz" in step ? step.quiz in program.quizzes : true,
    );
    if (entry.steps === undefined) delete entry.steps;
  }
}

/** Every reference to one entry of a section names another. */
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

/** No two pages have one path, and no two sites one name: a manifest of such is refused, which is tested elsewhere. */
export function isConsistent(program: Program): boolean {
  const paths = entriesOf(program, "pages", "quizzes").flatMap(({ entry: { publish } }) =>
    publish === undefined ? [] : [`${publish.site}/${publish.slug ?? ""}`],
  );
  const names = entriesOf(program, "sites").map(({ key, entry }) => entry.name ?? key);
  const adopted = entriesOf(program).flatMap(({ entry: { adoptId } }) => adoptId ?? []);
  return [paths, names, adopted].every((list) => new Set(list).size === list.length);
}

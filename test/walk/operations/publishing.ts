/** Operations on the addresses and the publication of pages. */
import { entriesOf, type Program } from "../program.ts";
import { fillIn, type Operation, pick, SLUGS } from "./world.ts";

const published = (program: Program) =>
  entriesOf(program, "pages", "quizzes").filter(({ entry }) => entry.publish !== undefined);

export const changeSlug: Operation = ({ program }, { a, b }) => {
  const found = pick(published(program), a);
  const publish = found?.entry.publish;
  if (found === undefined || publish === undefined) return undefined;
  publish.slug = pick(SLUGS, b) ?? "";
  return `slug of ${found.section}.${found.key}: ${publish.slug}`;
};

export const rotateSlugs: Operation = ({ program }, { a, b }) => {
  const site = pick(Object.keys(program.sites), a);
  const pages = published(program)
    .filter(({ entry }) => entry.publish?.site === site)
    .slice(0, 2 + (b % 3));
  if (pages.length < 2) return undefined;
  const slugs = pages.map(({ entry }) => entry.publish?.slug ?? "");
  for (const [index, { entry }] of pages.entries())
    if (entry.publish) entry.publish.slug = slugs[(index + 1) % slugs.length] ?? "";
  return `rotate ${pages.map(({ key }) => key).join(", ")} on ${site ?? ""}`;
};

export const changeSite: Operation = ({ program, excuses }, { a, b }) => {
  const found = pick(published(program), a);
  const publish = found?.entry.publish;
  const site = pick(Object.keys(program.sites), b);
  if (found === undefined || publish === undefined || site === undefined) return undefined;
  publish.site = site;
  fillIn(found.entry);
  excuses.push(/is protected/, /remove adoptId/);
  return `site of ${found.section}.${found.key}: ${site}`;
};

export const togglePublish: Operation = ({ program, excuses }, { a, b, c }) => {
  const found = pick(
    entriesOf(program, "pages", "quizzes").filter(({ entry }) => entry.template !== undefined),
    a,
  );
  if (found === undefined) return undefined;
  fillIn(found.entry);
  excuses.push(/is protected/, /remove adoptId/);
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

export function freeSlug(program: Program, site: string | undefined, number: number): string | undefined {
  const taken = entriesOf(program, "pages", "quizzes").flatMap(({ entry: { publish } }) =>
    publish?.site === site ? [publish?.slug ?? ""] : [],
  );
  return pick(
    SLUGS.filter((slug) => !taken.includes(slug)),
    number,
  );
}

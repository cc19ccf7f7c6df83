/** Public pages join a release as they are, and then the plan is empty: with a manifest and a program, on both engines. */
import { describe, expect, test } from "vitest";
import { onBothAtRelease } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";

const manifest = (title: string, released: boolean): string => `landform: 1
name: test
sites: { main: { name: comes.example } }
pages:
${["offer", "thanks"]
  .map(
    (name) =>
      `  ${name}: { template: tpl-hero, content: { hero.title: ${title} ${name} }, variables: { brand: Acme }, publish: { site: main, slug: ${name} } }`,
  )
  .join("\n")}
${released ? "releases: { launch: { pages: [offer, thanks] } }" : ""}
`;

const program = (title: string, released: boolean): string => `
const site = new landform.Site("main", { name: "comes.example" });
const pages = () => ["offer", "thanks"].map((slug) => new landform.Page(slug, {
  templateId: "tpl-hero", content: { "hero.title": "${title} " + slug }, variables: { brand: "Acme" }, publish: { siteId: site.id, slug },
}));
${released ? `new landform.Release("launch", { pages });` : "pages();"}
`;

const forms: Record<string, (desk: NearDesk, title: string, released: boolean) => void> = {
  "landform.yaml": (desk, title, released) => desk.write("landform.yaml", manifest(title, released)),
  "a program": (desk, title, released) => desk.program(program(title, released)),
};

onBothAtRelease((engine, path) => {
  describe.each(Object.keys(forms))("%s", (form) => {
    test("nothing is planned once they are in it, and a change goes out with all", async () => {
      const desk = await inTest(NearDesk.open());
      const write = (title: string, released: boolean): void => forms[form]?.(desk, title, released);
      const run = async (...args: string[]): Promise<number | null> =>
        (await desk.run([...args, "--engine", engine], { env: { PATH: path("/usr/bin:/bin") } })).code;
      write("First", false);
      expect(await run("up", "--yes")).toBe(0);
      write("First", true);
      desk.writes();
      expect(await run("up", "--yes")).toBe(0);
      expect(await run("preview", "--detailed-exitcode")).toBe(0);
      expect(desk.writes()).toEqual([]);
      write("Second", true);
      expect(await run("preview", "--detailed-exitcode")).toBe(2);
      expect(await run("up", "--yes")).toBe(0);
      expect(desk.writes().filter((call) => call.endsWith("/pages/publish"))).toHaveLength(2);
      expect(await run("preview", "--detailed-exitcode")).toBe(0);
    });
  });
});

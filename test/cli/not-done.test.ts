// @module-tag thorough
/** Plan, result and report name the changes that a run doesn't do: those that failed or were not reached, and objects that it leaves in the account. */
import { expect, test } from "vitest";
import { onBothAtRelease } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { mkdirSync } from "node:fs";
import { BRIEF } from "./manifests.ts";

/** Each one waits for the one before it. */
const chain = (tag: string) => `
let before: landform.Page[] = [];
for (const name of ["a", "b", "c", "d"]) before = [new landform.Page(name, { tags: ["${tag}"] }, { dependsOn: before })];
`;

onBothAtRelease((engine, path) => {
  const desk = NearDesk.each(engine, path);

  test("an up that fails on the way", async () => {
    await desk.program(chain("one")).up();
    desk.program(chain("two"));
    desk.emulator.faults.add({ method: "PATCH", path: "/pages/metadata", phase: "status", status: 403, skip: 1 });
    expect(await desk.says(1, "up", "--yes", "--json", "up.json", "--markdown", "up.md")).toMatch(
      /^Failed: 1 updated, 1 failed, 2 not reached ·/m,
    );
    const { counts, changes, failures } = desk.report("up.json");
    expect(failures).toMatchObject([
      { step: { code: "forbidden", kind: "page", call: { method: "PATCH", path: "/pages/metadata", status: 403 } } },
    ]);
    expect(counts).toMatchObject({ create: 0, update: 1, same: 0, failed: 1, unreached: 2 });
    expect(changes.map(({ name, status }) => [name, status])).toEqual([
      ["a", "done"],
      ["b", "failed"],
      ["c", "unreached"],
      ["d", "unreached"],
    ]);
    expect(desk.read("up.md")).toContain("### ❌ Failed: 1 updated, 1 failed, 2 not reached");
  });
});

const SITE = `const site = new landform.Site("left.example");`;
const BOTH = `${SITE}
const mug = new landform.Product("mug", { price: 2 });
const publish = { siteId: site.id, slug: "offer" };
new landform.Page("offer", { templateId: "tpl-hero", variables: { brand: "B" }, publish }, { deletedWith: mug });`;

onBothAtRelease((engine, path) => {
  const desk = NearDesk.each(engine, path);

  test("an up of a program without them, and a destroy", async () => {
    await desk.program(BOTH).up();
    const preview = await desk.program(SITE).plan();
    expect(preview).toMatch(/! Page offer .*\n\s+stays in the account, and Landform no longer manages it/);
    expect(preview).not.toContain("Public pages");
    expect(preview).toContain("1 to delete, 1 to leave in the account");
    const up = await desk.applies();
    expect(up).toContain("! left Page offer in the account");
    expect(up).toContain("Done: 1 deleted, 1 left in the account");
    expect(desk.rows("pages")).toHaveLength(1);

    await desk.program(BOTH.replaceAll("offer", "deal")).up();
    const destroy = await desk.says(0, "destroy", "--yes");
    expect(destroy).toContain("! left Page deal in the account");
    expect(destroy).toContain("Done: 1 deleted, 2 left in the account");
    expect(desk.rows("pages")).toHaveLength(2);
  }, 300_000);
});

const inProject = (name: string): string => `landform: 1
name: ${name}
projects: { mugs: { description: "${BRIEF}", context: "${BRIEF}" } }
sites: { m: { name: ${name}.example, project: mugs } }
pages: { offer: { template: tpl-hero, project: mugs, variables: { brand: A }, publish: { site: m, slug: offer } } }
`;

test("the plan and the run say so, history too, and the next up takes it over", async () => {
  const desk = await NearDesk.own();
  for (const name of ["mine", "theirs"]) {
    mkdirSync(desk.path(name));
    await desk.write(`${name}/landform.yaml`, inProject(name)).up("-C", name);
  }
  desk.also.args = ["-C", "mine"];
  expect(await desk.says(4, "destroy")).toMatch(/! Project mugs {2}\S+\n +stays in the account/);
  expect(await desk.says(0, "destroy", "--yes")).toContain("The next up of this stack takes it over.");
  expect(desk.rows("projects")).toMatchObject([{ name: "mugs" }, { name: "mugs" }]);
  expect(await desk.says(0, "history")).toMatch(
    /1 deleted, 2 left in the account: |2 left in the account, 1 deleted: /,
  );
  const [last] = await desk.json<{ id: string; counts: object }[]>("history");
  expect(last?.counts).toEqual({ left: 2, delete: 1 });
  expect(await desk.says(0, "history", last?.id ?? "")).toMatch(/! Site m {2}\S+\n +stays in the account/);

  // For a while, lists show the project as the destroy left it.
  desk.emulator.notShown.listLagMs = 3_600_000;
  const again = await desk.applies();
  expect(again).toMatch(/= adopted Project mugs[^]*2 adopted/);
  expect(again).not.toContain("stays in project");
  expect(desk.rows("projects")).toHaveLength(2);
});

/** A service whose ids are unique only within a kind: page 1, site 1, product 1 and hook 1 are four objects. */
function countedByKind(more: boolean): string {
  const page = (key: string, name: string): string =>
    `  ${key}: { name: ${name}, template: tpl-thankyou, variables: { brand: Acme, support_email: a@example.com }, publish: { site: m, slug: ${key} } }\n`;
  return [
    "landform: 1\nname: ids\nsites: { m: { name: m.example } }\npages:\n",
    page("offer", "Offer"),
    more ? page("thanks", "Thanks") : "",
    "quizzes:\n  q: { name: Quiz, template: tpl-quiz-product, variables: { brand: Acme, product_count: '3' }, publish: { site: m, slug: quiz } }\n",
    more ? "products: { mug: { name: Mug, price: 2 } }\n" : "",
    "funnels: { f: { steps: [ { page: offer, pageType: sales }, { quiz: q, pageType: quiz } ] } }\n",
    `hooks: { l: { eventType: form_lead.created, targetUrl: "https://example.com/a" } }\n`,
  ].join("");
}

test("where ids count by kind, what goes is deleted, and an undo brings it back", async () => {
  const desk = await NearDesk.own();
  desk.emulator.notShown.ids = "counted-by-kind";
  const there = (): unknown => ({
    pages: new Set(desk.rows("pages").map(({ slug }) => slug)),
    products: desk.rows("products").length,
    hooks: desk.rows("hooks").filter(({ active }) => active === true).length,
    funnels: desk.rows("funnels").filter(({ name }) => name === "f").length,
  });
  const ALL = { pages: new Set(["offer", "quiz", "thanks"]), products: 1, hooks: 1, funnels: 1 };
  const applied = async (more: boolean): Promise<string> => {
    const said = await desk.declare(countedByKind(more)).applies();
    await desk.says(0, "drift", "--full", "--detailed-exitcode");
    return said;
  };
  await applied(true);
  expect(there()).toEqual(ALL);
  for (const kind of ["pages", "sites", "products", "hooks", "funnels"]) expect(desk.rows(kind)[0]?.id).toBe("1");
  expect(await applied(false)).not.toMatch(/is not deleted/);
  expect(there()).toEqual({ ...ALL, pages: new Set(["offer", "quiz"]), products: 0 });
  await desk.undo();
  expect(there()).toEqual(ALL);
  await applied(true);
  await desk.says(0, "destroy", "--yes");
  expect(there()).toEqual({ pages: new Set(), products: 0, hooks: 0, funnels: 0 });
});

/** The names of a stack: in Pulumi, its operator, Deployments and our own reports. */
import { beforeAll, expect, test } from "vitest";
import { stackNamed } from "../../stack/project/open.ts";
import { WalkDesk } from "../walk/desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => WalkDesk.open());
beforeAll(() => {
  const pages = { offer: { template: { id: "tpl-hero" } } };
  desk.declare({ landform: 1, name: "funnels", pages, outputs: { id: "pages.offer.id" } });
});

test("one stack by each of its names", async () => {
  const made = await desk.run("up", "--yes", "--stack", "organization/funnels/dev");
  expect(made.code, made.printed).toBe(0);
  for (const stack of ["dev", "funnels/dev", "organization/dev", "organization/funnels/dev"]) {
    const next = await desk.run("ci", "plan", "--detailed-exitcode", "--stack", stack);
    expect([stack, next.code, next.report.stack], next.printed).toEqual([stack, 0, "dev"]);
  }
  for (const args of [["output", "id"], ["history"], ["state", "export"]]) {
    const { code, printed } = await desk.command(...args, "--stack", "organization/funnels/dev");
    expect(code, printed).toBe(0);
  }
  expect((await desk.command("stack", "ls")).printed).not.toContain("organization");
});

test("that of another project is refused, and makes none", async () => {
  const { code, printed } = await desk.command("up", "--yes", "--stack", "organization/other/dev");
  expect(code).toBe(4);
  expect(printed).toContain("a stack of the project other, and this one is called funnels");
});

test("an organization of Pulumi Cloud stays in its name", () => {
  const names = ["acme/funnels/prod", "acme/prod", "funnels/funnels/prod"];
  for (const name of names) expect(stackNamed(name, "funnels")).toBe(name);
});

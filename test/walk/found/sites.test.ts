/** Sites with equal names, and projects that can't be deleted: the plan tells the result. */
import { expect, test } from "vitest";
import { openTrial, page, project } from "../trial.ts";
import { thorough } from "../../suite/parts.ts";

const trial = openTrial();

function siteBy(name: string, more: object = {}): Promise<{ id: string }> {
  return trial.desk.byHand("POST", "/sites", { name, ...more }) as Promise<{ id: string }>;
}

thorough("a site of the name that exists is told in the plan, with the project that it stays in", async () => {
  const theirs = (await trial.desk.byHand("POST", "/projects", {
    name: "Theirs",
    description: project["description"],
    context: project["context"],
  })) as { id: string };
  const { id } = await siteBy("main.example", { project_id: theirs.id });
  trial.program.projects["spring"] = project;
  trial.program.sites["main"] = { name: "main.example", project: "spring" };
  const { report } = await trial.preview();
  const text = `Site main: the run takes over site ${id}, which has that name already. The site stays in project ${theirs.id}, because the API can't move it.`;
  expect(report.findings.filter(({ weight }) => weight === "warn")).toEqual([
    {
      check: "account",
      weight: "warn",
      text,
      urn: report.changes.find(({ name }) => name === "main")?.urn,
      source: expect.stringMatching(/landform\.yaml:\d+:\d+$/) as string,
    },
  ]);
  await trial.up();
  expect(trial.objects("sites")).toHaveLength(1);
});

test("an adoptId tells which of two sites of one name is meant, also where it is changed", async () => {
  const [one, two] = [await siteBy("main.example"), await siteBy("main.example")];
  trial.program.sites["main"] = { name: "main.example", adoptId: one.id };
  trial.program.pages["home"] = page("home");
  await trial.up();
  trial.program.sites["main"] = { name: "main.example", adoptId: two.id };
  await trial.up();
  expect(trial.idOf("main")).toBe(two.id);
  expect(trial.objects("pages").map(({ siteId }) => siteId)).toEqual([two.id]);
});

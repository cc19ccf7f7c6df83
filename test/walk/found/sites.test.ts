/** Sites with equal names, and projects that can't be deleted: the plan tells the result. */
import { expect } from "vitest";
import { openTrial, page, project } from "../trial.ts";
import { thorough } from "../../suite/parts.ts";

const trial = openTrial();

const siteBy = (more: object = {}): Promise<string> => trial.make("/sites", { name: "main.example", ...more });

thorough("a site of the name that exists is told in the plan, with the project that it stays in", async () => {
  const theirs = await trial.make("/projects", { name: "Theirs", ...project });
  const id = await siteBy({ project_id: theirs });
  trial.program.projects["spring"] = project;
  trial.program.sites["main"] = { name: "main.example", project: "spring" };
  const { report } = await trial.preview();
  const text = `Site main: the run takes over site ${id}, which has that name already. The site stays in project ${theirs}, because the API can't move it.`;
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

thorough("an adoptId tells which of two sites of one name is meant, also where it is changed", async () => {
  const [one, two] = [await siteBy(), await siteBy()];
  trial.program.sites["main"] = { name: "main.example", adoptId: one };
  trial.program.pages["home"] = page("home");
  await trial.up();
  trial.program.sites["main"] = { name: "main.example", adoptId: two };
  await trial.up();
  expect(trial.idOf("main")).toBe(two);
  expect(trial.objects("pages").map(({ siteId }) => siteId)).toEqual([two]);
});

/** The report on a manifest's problems, for people and for programs. */
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { codes, renderText, reportJson, reportSarif, validate, type Diagnostic } from "../../manifest/index.ts";
import { folderWith } from "./files.ts";

const problems = (text: string, name = "landform.yaml"): readonly Diagnostic[] =>
  validate(name, { cwd: folderWith({ [name]: text }) }).diagnostics;

const MANY = `landform: 1
sites:
  main: { name: spring.example }
pages:
  offer:
    tamplate: tpl-hero
    publish: { site: mian, slug: offer }
  other: { publish: { site: main, slug: a } }
  twin: { publish: { site: main, slug: A } }
`;

test("as text: place, message, excerpt with a caret, remedy", () =>
  expect(renderText(problems(MANY)))
    .toBe(`landform.yaml:6:5: error: pages.offer has no property "tamplate", did you mean "template"? [unknown-property]
  6 |     tamplate: tpl-hero
    |     ^^^^^^^^
  Known are name, project, template, site, content, variables, tags, productLabel, delay, nodes, publish, onForeignEdits, duplicateOf, adoptId, options, account, each, rows.

landform.yaml:7:22: error: pages.offer.publish.site: there is no site "mian", did you mean "main"? [unknown-reference]
  7 |     publish: { site: mian, slug: offer }
    |                      ^^^^
  Keys of sites: main. For one that the code does not manage, write { id: … } or { lookup: { name: … } }.

landform.yaml:9:40: error: pages.twin.publish.slug: the slug "a" on site sites.main is declared by "pages.other" too; only one resource can have it [conflict]
  9 |   twin: { publish: { site: main, slug: A } }
    |                                        ^

3 errors
See docs/troubleshooting.md#landformyaml`));

test.each([
  ["page: q", "page", "q", "quiz: q"],
  ["quiz: offer", "quiz", "offer", "page: offer"],
])("a step's %s that is the other kind is told as what to write", (step, kind, key, right) => {
  const manifest = (target: string): string =>
    `landform: 1\npages: { offer: {} }\nquizzes: { q: {} }\nfunnels: { f: { steps: [{ ${target}, pageType: quiz }] } }\n`;
  const message = `funnels.f.steps[0].${kind}: there is no ${kind} "${key}"`;
  const hint = `It is a ${right.split(":")[0] ?? ""}. Write ${right}.`;
  expect(problems(manifest(step))).toMatchObject([{ message, hint }]);
  expect(problems(manifest(right))).toEqual([]);
});

test("as JSON: the data itself", () => {
  const report = reportJson(problems(MANY));
  expect(report.valid).toBe(false);
  expect(JSON.parse(JSON.stringify(report.diagnostics[2]))).toEqual({
    severity: "error",
    code: "conflict",
    message: expect.stringContaining("pages.twin.publish.slug") as string,
    file: "landform.yaml",
    line: 9,
    column: 40,
    endLine: 9,
    endColumn: 41,
    excerpt: expect.stringContaining("^") as string,
    path: "pages.twin.publish.slug",
    related: [{ message: "pages.other has it", file: "landform.yaml", line: 8, column: 41, endLine: 8, endColumn: 42 }],
  });
  expect(reportJson([])).toEqual({ version: 1, valid: true, diagnostics: [] });
});

/** Returns the schema of an object with these properties, all of which are required. */
const having = (properties: Readonly<Record<string, object>>): object => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

/** The parts of the SARIF 2.1.0 schema that a report uses. */
const positive = { type: "integer", minimum: 1 };
const region = having({ startLine: positive, startColumn: positive, endLine: positive, endColumn: positive });
const artifactLocation = having({ uri: { type: "string", minLength: 1 } });
const location = having({ physicalLocation: having({ artifactLocation, region }) });

test("as SARIF: rules, places, further places", () => {
  const sarif = reportSarif(problems(MANY, "spring launch.yaml"), "1.2.3", codes) as {
    runs: [{ tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; ruleIndex: number }[] }];
  };
  const [run] = sarif.runs;
  expect(run.results.map(({ ruleId }) => ruleId)).toEqual(["unknown-property", "unknown-reference", "conflict"]);
  for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  const result = {
    type: "object",
    required: ["ruleId", "level", "message", "locations"],
    properties: {
      locations: { type: "array", minItems: 1, items: location },
      relatedLocations: { type: "array", items: location },
    },
  };
  const validates = new Ajv({ strict: false }).compile({ type: "array", minItems: 3, items: result });
  expect(validates(run.results), JSON.stringify(validates.errors)).toBe(true);
  expect(JSON.stringify(sarif)).toContain('"uri":"spring%20launch.yaml"');
});

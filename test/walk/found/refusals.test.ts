/** Refusals of an engine read the same on both: the resource, the next step, and the exit code. */
import { describe, expect, test } from "vitest";
import { failuresOf, refusalOf } from "../../../stack/engines/pulumi/failures.ts";
import { Collector } from "../../../stack/report/collect.ts";
import { realEngine, thorough } from "../../suite/parts.ts";
import { openTrial, page, type Trial } from "../trial.ts";

const [SITE, PAGE] = ["Site::main", "Page::home"].map(
  (end) => `urn:pulumi:dev::walk::pulumi-nodejs:dynamic/landform:${end}`,
);

async function refusals(trial: Trial): Promise<[number, string][]> {
  const told: [number, string][] = [];
  const look = async (command: "preview" | "up", ...options: string[]): Promise<void> => {
    trial.declare();
    const { code, report } = await trial.desk.run(command, ...options);
    told.push(...report.failures.map(({ message }): [number, string] => [code, message]));
  };
  trial.program.pages["home"] = page("home");
  await look("preview", "--target", "Page/home");
  trial.program.pages["home"] = { ...page("home"), options: { protect: true } };
  await trial.up();
  trial.program.pages["home"] = { ...page("home"), template: "tpl-thankyou", options: { protect: true } };
  await look("preview");
  trial.program.pages = {};
  await look("preview");
  await look("up", "--yes", "--force");
  expect(trial.objects("pages")).toHaveLength(1);
  return told;
}

const FULL = [
  [4, `${PAGE} needs ${SITE}, which does not exist yet and is not targeted. Target it too`],
  [
    4,
    expect.stringMatching(
      /^landform:Page "home".* would be replaced, which deletes it, and it is protected. Remove `protect`/,
    ),
  ],
  [4, `${PAGE} is protected and is not deleted. Remove \`protect\` from it in the program and run up first`],
  [4, `${PAGE} is protected and is not deleted. Remove \`protect\` from it in the program and run up first`],
];

describe("on the embedded engine", () => {
  const trial = openTrial();
  thorough("a protected resource and a target that needs another one", async () => {
    expect(await refusals(trial)).toEqual(FULL);
  });
});

describe.skipIf(realEngine === undefined)("on Pulumi's engine", { timeout: 300_000 }, () => {
  const trial = openTrial("pulumi");
  thorough("a protected resource and a target that needs another one", async () => {
    // Pulumi adds that its own snapshot would miss the dependency (3.274, 2026-11-26).
    expect(await refusals(trial)).toEqual(expect.arrayContaining(FULL));
  });
});

test("what Pulumi says of a dependent is told in the same words", () => {
  const destroyed = `Resource '${PAGE}' will be destroyed but was not specified in --target list.\nEither include resource in --target list or pass --target-dependents to proceed.`;
  expect(refusalOf(destroyed)).toMatchObject({
    cause: "program",
    urn: PAGE,
    message: `${PAGE} would have to be deleted with the targets, since it depends on them, and is not targeted. Target it too`,
  });
  const replaced = `unable to replace resource "${PAGE}" as part of replacing "${SITE}" as it is currently marked for protection. To unprotect`;
  expect(refusalOf(replaced)?.message).toMatch(
    `${PAGE} would have to be deleted first to replace ${SITE}, and it is protected`,
  );
  expect(refusalOf("Resource limits are reached")).toBeUndefined();
});

test.each([
  [
    `pulumi-nodejs:dynamic/landform:Page resource 'home': property publish.slug value {"long"} has a problem: can't be empty`,
    `Page "home", publish.slug: can't be empty`,
  ],
  ["publish: page page_1 is not ready", 'Page "home": publish: page page_1 is not ready'],
  ['Page "home", name: is taken', 'Page "home", name: is taken'],
  [
    "error reading from server: EOF",
    expect.stringContaining("the process that serves the providers has ended") as string,
  ],
  [
    'connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:37369: connect: connection refused"',
    expect.stringContaining("The next run finds what was under way") as string,
  ],
])("a failure on Pulumi's engine names its resource: %s", (message, told) => {
  const collector = new Collector();
  collector.errors.push({ message, urn: PAGE });
  const end = { output: "", locked: false, holders: [] };
  expect(failuresOf(end, collector, { kind: "preview" })).toMatchObject([{ message: told, urn: PAGE }]);
});

test("Pulumi's advice about interrupted operations is no warning: the report tells what became of each", () => {
  const collector = new Collector();
  const message =
    "Attempting to deploy or update resources with 2 pending operations from previous deployment.\n  * urn";
  collector.add({ sequence: 0, timestamp: 0, diagnosticEvent: { message, color: "never", severity: "warning" } });
  expect([...collector.warnings]).toEqual([]);
});

/**
 * The examples of the page about teams without a CI: Pulumi's operator and Deployments accept them, and their runs keep an account equal to the code
 * with only the environment that they give.
 */
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { LandformApi } from "../../provider/api/index.ts";
import { getContentMap } from "../../provider/lookups/index.ts";
import { Desk, SYSTEM_PATH } from "../cli/harness.ts";
import { writePlugin } from "../pulumi/real.ts";
import { leftToSoak, realEngine } from "../suite/parts.ts";
import { blocksOf, repository } from "./markdown.ts";
import { deploymentSettings, stackObject } from "./reconciliation-schemas.ts";
import { inTest } from "../suite/opened.ts";

const page = readFileSync(join(repository, "docs/guides/without-ci.md"), "utf8");
const blocks = blocksOf(page)
  .filter(({ language }) => language === "yaml")
  .map(({ text }) => parse(text) as unknown);

interface StackObject {
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly serviceAccountName: string;
    readonly gitAuth: unknown;
    readonly refresh: boolean;
    readonly envRefs: Readonly<Record<string, { literal?: { value: string } }>>;
  };
}
interface Settings {
  readonly settings: {
    readonly operationContext: { preRunCommands: string[]; environmentVariables: Record<string, unknown> };
  };
}
const [operator, deployments] = blocks as [StackObject, Settings];

test.each([
  ["the operator's Stack", stackObject, operator],
  ["the settings of Deployments", deploymentSettings, deployments],
])("%s has fields that are there, of the right types", (_, schema, example) => {
  expect(blocks).toHaveLength(2);
  const validate = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false }).compile(schema);
  validate(example);
  expect(validate.errors ?? []).toEqual([]);
  for (const wrong of [{ ...example, spec: { stak: "prod" } }, { settings: { git: {} } }])
    expect(validate(wrong)).toBe(false);
});

test("the workspace of the operator may ask who calls it, and its repository may be private", () => {
  const { metadata, spec } = operator;
  const [shell] = blocksOf(page).filter(({ text }) => text.includes("kubectl"));
  expect(shell?.text).toContain(`create serviceaccount ${spec.serviceAccountName} --namespace ${metadata.namespace}`);
  expect(shell?.text).toContain(
    `--clusterrole system:auth-delegator --serviceaccount ${metadata.namespace}:${spec.serviceAccountName}`,
  );
  expect(spec.gitAuth).toMatchObject({ accessToken: { type: "Secret" } });
});

test("they give the program its settings, and no secret in the clear", () => {
  const { envRefs } = operator.spec;
  const { environmentVariables, preRunCommands } = deployments.settings.operationContext;
  for (const given of [envRefs, environmentVariables])
    expect(Object.keys(given)).toEqual(expect.arrayContaining(["LANDFORM_BASE_URL", "LANDFORM_API_KEY"]));
  for (const name of ["LANDFORM_API_KEY", "PULUMI_CONFIG_PASSPHRASE"])
    expect(envRefs[name]).toMatchObject({ type: "Secret" });
  expect(environmentVariables["LANDFORM_API_KEY"]).toHaveProperty("secret");
  expect(preRunCommands).toEqual(["npm ci"]);
});

test.skipIf(realEngine === undefined || leftToSoak("pulumi"))(
  "what they run puts a hand edit back, again and again, and changes nothing else",
  { tags: ["thorough"], timeout: 240_000 },
  async () => {
    const desk = await inTest(Desk.open("quickstart"));
    const given = Object.keys(operator.spec.envRefs);
    const known: Record<string, string | undefined> = desk.env;
    const env = {
      ...Object.fromEntries(given.map((name) => [name, known[name]])),
      HOME: desk.folder,
      PATH: [desk.path("plugins"), dirname(realEngine ?? ""), SYSTEM_PATH].join(delimiter),
      PULUMI_BACKEND_URL: `file://${desk.folder}`,
      PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
    };
    writePlugin(desk.path("plugins"));
    symlinkSync(join(repository, "node_modules"), desk.path("node_modules"));
    expect(operator.spec.refresh).toBe(true);
    const args = [join(repository, "test/docs/plain-up.ts"), desk.folder, "prod", "up --refresh"];
    const reconcile = () => promisify(execFile)(process.execPath, args, { cwd: desk.folder, env });
    await reconcile();
    const api = new LandformApi(desk.emulator);
    const id = (await api.pages.list()).find(({ page_name: name }) => name === "Offer")?.id ?? "";
    const title = async () => (await getContentMap(api, { pageId: id })).content["hero.title"];
    const declared = await title();
    await api.pages.updateContent({ page_id: id, updates: { "hero.title": "By hand" } });
    await reconcile();
    expect(await title()).toBe(declared);
    desk.writes();
    await reconcile();
    expect(desk.writes()).toEqual([]);
  },
);

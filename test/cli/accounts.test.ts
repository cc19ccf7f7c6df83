/** Landform refuses a key of another account before it writes anything, whatever the program registers first. */
import { expect, test } from "vitest";
import { factsOf } from "../../stack/engines/recorded.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const desk = forEachTest(() => NearDesk.open());
const other = forEachTest(() => NearDesk.open());

thorough(
  "a creation that comes before all that exists",
  async () => {
    const old = `new landform.Product("old", { price: 1 });`;
    const first = `const first = new landform.Product("first", { price: 2 });`;
    desk.program(old);
    expect((await desk.run(["up", "--yes"])).code).toBe(0);
    desk.program(`${first}\nnew landform.Product("old", { price: 1 }, { dependsOn: [first] });`);
    desk.writes();
    const { LANDFORM_BASE_URL, LANDFORM_API_KEY } = other.env;
    expect(await outputOf(1, desk.run(["up", "--yes"], { env: { LANDFORM_BASE_URL, LANDFORM_API_KEY } }))).toMatch(
      /key belongs to account/,
    );
    expect([...desk.writes(), ...other.writes()]).toEqual([]);
    expect((await desk.run(["up", "--yes"])).stdout).toContain("1 created, 1 unchanged");
    const drift = await desk.run(["drift"], { env: { LANDFORM_BASE_URL, LANDFORM_API_KEY } });
    expect((drift.stdout + drift.stderr).match(/key belongs to account.*/g)).toEqual([
      expect.stringContaining("(2 resources)"),
    ]);
    expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
  },
  180_000,
);

test("each provider has the account of its resources", () => {
  const own = "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::default";
  const second = "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::b";
  const type = "pulumi-nodejs:dynamic/landform:Product";
  const product = (name: string, provider: string, account?: string) => ({
    urn: `urn:pulumi:dev::test::${type}::${name}`,
    type,
    provider: `${provider}::04da6b54`,
    outputs: account === undefined ? {} : { __landform: { account, declared: "name" } },
  });
  const resources = [
    { urn: own, type: "pulumi:providers:pulumi-nodejs", inputs: { "landform:baseUrl": "https://a" } },
    { urn: second, type: "pulumi:providers:pulumi-nodejs", inputs: { "landform:apiKeyEnv": "KEY_B" } },
    product("unknown", own),
    product("a", own, "acc_1"),
    product("b", second, "acc_2"),
    product("c", second, "acc_2"),
  ];
  const { accounts } = factsOf({ manifest: { time: "" }, resources, pending: [] });
  expect(accounts).toEqual([{ account: "acc_1" }, { account: "acc_2", apiKeyEnv: "KEY_B" }]);
});

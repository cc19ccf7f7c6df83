/** Errors leave the provider as text, so the text itself leads to its entry in the troubleshooting guide, once. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { guideTo, leadToGuide } from "../../provider/messages/failures.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { LifecycleError, PartialFailure } from "../../provider/messages/errors.ts";
import handlers from "../../provider/pulumi/dynamic.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { newMachine } from "./harness.ts";
import { forAllTests } from "../suite/opened.ts";

const emulator = forAllTests(() => startEmulator());
beforeAll(() => {
  vi.stubEnv("LANDFORM_BASE_URL", emulator.baseUrl);
  vi.stubEnv("LANDFORM_API_KEY", emulator.apiKey);
  vi.stubEnv("LANDFORM_PATIENCE_MS", "100");
  vi.stubEnv("PULUMI_HOME", newMachine());
});
afterAll(() => vi.unstubAllEnvs());

let count = 0;

async function failure(kind: Kind, inputs: JsonMap): Promise<Error> {
  const identity = `lf-00000000-${String(++count).padStart(10, "0")} thing`;
  try {
    await handlers[kind].create({ ...inputs, __identity: identity, __provider: "" });
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("it should have failed");
}

test("an error of the service leads to the entry of its class, and shows no stack", async () => {
  const error = await failure("page", { name: "a", templateId: "tpl-nothere" });
  expect(error.message).toMatch(/refresh, or correct the id\. See docs\/troubleshooting\.md#not-found$/);
  expect(error.stack).toBe("");
});

test("of a partial failure, the entry of its cause is the one that helps", async () => {
  const inputs = { name: "b", templateId: "tpl-hero", content: { "hero.titel": "x" } };
  const error = await failure("page", inputs);
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.message).toMatch(/keys again\. See docs\/troubleshooting\.md#apply$/);
  expect(error).toHaveProperty("reasons", [error.message]);
});

test("a lost creation names the object, the call and one thing to do", async () => {
  emulator.faults.add({ phase: "before", method: "POST", path: "/products", times: Infinity });
  const error = await failure("product", { name: "Mug" });
  emulator.faults.clear();
  expect(error.message).toBe(
    'Landform does not know if the service created product "Mug": POST /products: the connection was lost before the whole ' +
      "answer had come: other side closed, and nothing like it appeared within 0 s. Run the command again: it " +
      "first looks for the object, and goes on with it. See docs/troubleshooting.md#lost-answer",
  );
});

test("a lost subscription has no name of its own, and is called as in the program", async () => {
  emulator.faults.add({ phase: "after", method: "POST", path: "/hooks", times: Infinity });
  const error = await failure("hook", { eventType: "page.created", targetUrl: "https://example.com/" });
  emulator.faults.clear();
  expect(error.message).toMatch(
    /^Landform does not know if the service created hook "thing": POST \/hooks: .*#unfindable$/,
  );
});

test("an error that several resources meet is told with one link", () => {
  const error = new LifecycleError("no more");
  leadToGuide(error);
  leadToGuide(error);
  expect(error.message).toBe(`no more. ${guideTo("LifecycleError")}`);
});

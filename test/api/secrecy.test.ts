/** The key stands only in the header of a request. */
import { inspect } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { LandformApi, resolveConfig } from "../../provider/api/index.ts";
import { cut, failureOf, html, refusal, silence, startScriptedServer, testKey, type Step } from "./scripted-server.ts";
import { forAllTests, inTest } from "../suite/opened.ts";

const server = forAllTests(() => startScriptedServer());
afterEach(() => vi.restoreAllMocks());

const everything = { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity } as const;
const shown = (value: unknown): string =>
  [inspect(value, everything), inspect(value), JSON.stringify(value), String(value)].join("\n");

test("settings and client show no key, idle or at work", async () => {
  const config = resolveConfig({ LANDFORM_BASE_URL: server.baseUrl, LANDFORM_API_KEY: testKey });
  expect(shown(config)).not.toContain(testKey);
  expect(String(config.apiKey)).toBe("[API key]");
  server.script(silence);
  const api = await inTest(new LandformApi({ ...config, timeoutMs: 100 }));
  const call = api.account.me().catch((error: unknown) => error);
  expect(shown(api)).not.toContain(testKey);
  expect(shown(await call)).not.toContain(testKey);
});

test.each<[string, Step]>([
  ["401 that repeats the key", refusal(401, `no_${testKey}`, `Unknown key ${testKey}.`)],
  ["400 that repeats the header", refusal(400, "invalid_request", `Authorization: Bearer ${testKey}`)],
  ["HTML", html(200)],
  ["a cut connection", cut],
])("errors show no key: %s", async (_, step) => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  server.script(step);
  const error = await failureOf(server.api().account.me());
  for (let at: unknown = error; at instanceof Error; at = at.cause) expect(shown(at)).not.toContain(testKey);
  expect(String(error)).not.toContain("lf_live");
});

test("a hook's target is not repeated either", async () => {
  const target = "https://hooks.example/t/s3cr3t";
  const spelled = `${target} is not allowed, nor ${encodeURIComponent(target)}, nor /t/s3cr3t at hooks.example`;
  server.script(refusal(400, "invalid_target_url", spelled));
  const error = await failureOf(server.api().hooks.create({ target_url: target, event_type: "page.created" }));
  expect(error.message).toContain("invalid_target_url: [secret] is not allowed");
  expect(shown(error)).not.toContain("s3cr3t");
});

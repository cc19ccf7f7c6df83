import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ApiConfig, ConfigurationError, LandformApi, resolveConfig } from "../../provider/api/index.ts";

const baseUrl = "https://api.example/v1";
const apiKey = "lf_live_key";

function problem(action: () => unknown): ConfigurationError {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const NO_URL = "is not an http or https URL. Set it to an address like https://HOST/v1.";
const WITH_USER = "holds a user name or password. Remove it; the API key is set on its own.";
const WITH_QUERY = "holds a query or a fragment. Keep only what comes before ? and #.";
const IN_CLEAR = "would send the key to api.example in the clear. Use https.";
const number = (setting: string, least: string): string =>
  `${setting} is not a number that Landform can use. Set it to a ${least}.`;

describe("resolveConfig", () => {
  test("variables come first, stack configuration second, defaults last", () => {
    const env = { LANDFORM_BASE_URL: `${baseUrl}/`, LANDFORM_TIMEOUT_MS: "5000" };
    const stack = { baseUrl: "https://other.example/v1", apiKey, timeoutMs: 1, requestsPerSecond: "2.5" };
    const config = resolveConfig(env, stack);
    expect({ ...config, apiKey: config.apiKey.reveal() }).toEqual({
      baseUrl,
      apiKey,
      timeoutMs: 5_000,
      maxConcurrency: 16,
      requestsPerSecond: 2.5,
      maxResponseBytes: 16 * 1024 * 1024,
    });
  });

  test("an empty variable is as good as none", () =>
    expect(resolveConfig({ LANDFORM_BASE_URL: "", LANDFORM_API_KEY: apiKey }, { baseUrl }).baseUrl).toBe(baseUrl));

  test.each<[Record<string, string>, Record<string, unknown>, string]>([
    [{}, { baseUrl: undefined }, "LANDFORM_BASE_URL is not set. Set it to the API's address, https://HOST/v1."],
    [{}, { apiKey: undefined }, "LANDFORM_API_KEY is not set. Create a key in the app's API key settings and set it."],
    [{ LANDFORM_BASE_URL: "api.example/v1" }, {}, `LANDFORM_BASE_URL ${NO_URL}`],
    [{}, { baseUrl: "ftp://api.example/v1" }, `landform:baseUrl ${NO_URL}`],
    [{}, { baseUrl: "https://me:pw@api.example/v1" }, `landform:baseUrl ${WITH_USER}`],
    [{}, { baseUrl: "https://api.example/v1?key=1" }, `landform:baseUrl ${WITH_QUERY}`],
    [{}, { baseUrl: "http://api.example/v1" }, `landform:baseUrl ${IN_CLEAR}`],
    [{ LANDFORM_TIMEOUT_MS: "soon" }, {}, number("LANDFORM_TIMEOUT_MS", "whole number of at least 1")],
    [{}, { maxConcurrency: 0 }, number("landform:maxConcurrency", "whole number of at least 1")],
    [{ LANDFORM_REQUESTS_PER_SECOND: "-1" }, {}, number("LANDFORM_REQUESTS_PER_SECOND", "number of at least 0.001")],
  ])("%j %j is refused", (env, more, message) => {
    const error = problem(() => resolveConfig(env, { baseUrl, apiKey, ...more }));
    expect(error.message).toBe(message);
    expect(error).toMatchObject({ setting: message.slice(0, message.indexOf(" ")), outcome: "refused" });
  });

  const HERE = ["localhost:3000", "api.localhost", "127.0.0.1:1", "127.9.9.9", "[::1]:1"];
  test.each(HERE)("%s is this machine, where plain http will do", (host) => {
    const url = `http://${host}/v1`;
    expect(resolveConfig({}, { baseUrl: url, apiKey }).baseUrl).toBe(url);
  });

  test.each(["localhost.example", "127.0.0.1.example", "10.0.0.1", "[::2]"])("%s is not", (host) => {
    const refused = problem(() => resolveConfig({}, { baseUrl: `http://${host}/v1`, apiKey }));
    expect(refused.message).toContain("in the clear");
  });
});

describe("the key", () => {
  const BAD = ["a\r\nX-Evil: 1", "a\n", "a b", " a", "a\tb", "schlüssel", "a\u0000"];
  test.each(BAD)("%j is refused unprinted", (key) => {
    expect(problem(() => resolveConfig({ LANDFORM_API_KEY: key }, { baseUrl })).message).toBe(
      "LANDFORM_API_KEY holds a space, a line break or another character that no key has. " +
        "Copy the key again, without anything around it.",
    );
  });

  test("only visible ASCII gets into a header", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (key) => {
        const accepted = /^[!-~]+$/.test(key);
        const config: ApiConfig = { baseUrl, apiKey: key };
        if (accepted) expect(() => new LandformApi(config)).not.toThrow();
        else expect(problem(() => new LandformApi(config)).setting).toBe("apiKey");
      }),
    ));
});

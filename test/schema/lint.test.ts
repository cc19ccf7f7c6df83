import { fileURLToPath } from "node:url";
import { createConfig, lint, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { apiYamlPath } from "./openapi.ts";

/** Accepted warnings, each with its reason. */
const accepted = [
  // GET /openapi.json takes no key and no input, so there is nothing to refuse.
  "operation-4xx-response #/paths/~1openapi.json/get/responses",
];

test("schema/api.yaml passes the recommended rules of the OpenAPI linter", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lint({ ref: fileURLToPath(apiYamlPath), config });
  expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ""}`)).toEqual(accepted);
});

test("the linter is on: an operation without a summary is a problem", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = "openapi: 3.0.3\ninfo: { title: t, version: v }\npaths: { /x: { get: { operationId: x } } }\n";
  const problems = await lintFromString({ source, config });
  expect(problems.map((problem) => problem.ruleId)).toContain("operation-summary");
});

import { expect, test } from "vitest";
import { ok } from "./expectations.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();

test("GET /me answers the account that owns the key", async () => {
  const account = await target.record("getAccount");
  expect(account.workspace_id).toBe(account.id);
});

test.runIf(ownServer)("GET /me is the same account for every key of it", async () => {
  const other = target.emulator.createKey({ scopes: ["account:read"] });
  const account = await target.record("getAccount", { key: other });
  expect(account.id).toBe((await target.record("getAccount")).id);
});

test("GET /openapi.json answers an OpenAPI 3.0 document without a key", async () => {
  const document = ok(await target.call("getOpenapi", { key: null })) as { openapi: string; paths: object };
  expect(document.openapi).toMatch(/^3\.0\./);
  expect(Object.keys(document.paths)).toContain("/me");
});

test("GET /openapi.json takes no notice of a wrong key", async () =>
  ok(await target.call("getOpenapi", { key: "wrong" })));

test("every path of the specification is described", async () => {
  const { operations } = await import("../schema/specification.ts");
  const document = ok(await target.call("getOpenapi")) as { paths: Record<string, object> };
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`),
  );
  const shown = operations.filter((row) => row.pathShown);
  expect(described).toEqual(
    expect.arrayContaining(shown.map((row) => `${row.method} ${row.path.replaceAll(/\{\w+\}/g, "{}")}`)),
  );
});

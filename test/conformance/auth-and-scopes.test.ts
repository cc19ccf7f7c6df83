import { describe, expect, test } from "vitest";
import { operations, scopes } from "../schema/specification.ts";
import { ok, refused } from "./expectations.ts";
import { goodRequest, requestIds } from "./requests.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();
const guarded = operations.filter((row) => row.scopes.length > 0);
const unauthorized = { status: 401 };
const forbidden = { status: 403 };

test("there is a request for every operation", () =>
  expect([...requestIds].sort()).toEqual(operations.map((row) => row.id).sort()));

describe.each(guarded)("$method $path", ({ id, scopes: anyOf }) => {
  test("needs a key", async () => refused(await target.call(id, { at: "x", key: null }), unauthorized));

  test.runIf(ownServer).each([...anyOf])("is allowed with %s alone", async (scope) => {
    const key = target.emulator.createKey({ scopes: [scope] });
    ok(await target.call(id, { ...(await goodRequest(target, id)), key }));
  });

  test.runIf(ownServer)("is refused with every other scope", async () => {
    const key = target.emulator.createKey({ scopes: scopes.filter((scope) => !anyOf.includes(scope)) });
    refused(await target.call(id, { ...(await goodRequest(target, id)), key }), forbidden);
  });
});

describe("the Authorization header", () => {
  const me = async (authorization: string) =>
    target.call("getAccount", { key: null, headers: { Authorization: authorization } });

  test.each([
    ["an unknown key", () => "Bearer unknown"],
    ["a key prefix alone", () => `Bearer ${target.key.slice(0, Math.ceil(target.key.length / 2))}`],
    ["a key with a letter more", () => `Bearer ${target.key}x`],
    ["another scheme", () => `Basic ${Buffer.from(`${target.key}:`).toString("base64")}`],
    ["no scheme", () => target.key],
    ["no key", () => "Bearer "],
    ["two keys", () => `Bearer ${target.key}, Bearer ${target.key}`],
  ])("%s gets 401", async (_, header) => refused(await me(header()), unauthorized));

  test("a key in the query is no key", async () =>
    refused(await target.call("getAccount", { key: null, query: { api_key: target.key } }), unauthorized));
});

describe.runIf(ownServer)("keys", () => {
  const me = async (key: string) => target.call("getAccount", { key });
  const create = (more: object) => target.emulator.createKey({ scopes: ["account:read"], ...more });

  test("an expired key gets 401, one that expires later does not", async () => {
    refused(await me(create({ expiresAt: new Date(Date.now() - 1000).toISOString() })), unauthorized);
    ok(await me(create({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() })));
  });

  test("revocation applies from the next request", async () => {
    const key = create({});
    ok(await me(key));
    target.emulator.revokeKey(key);
    refused(await me(key), unauthorized);
    ok(await target.call("getAccount"));
  });

  test.each([
    ["an empty list", [], true],
    ["this address", ["127.0.0.1"], true],
    ["a block with this address", ["10.0.0.0/8", "127.0.0.0/8"], true],
    ["another address", ["203.0.113.7"], false],
    ["a block without this address", ["127.0.1.0/24"], false],
  ])("%s of allowed addresses", async (_, allowIps, allowed) => {
    const answer = await me(create({ allowIps }));
    if (allowed) ok(answer);
    else refused(answer, forbidden);
  });

  test("a key without scopes may do nothing", async () =>
    refused(await me(target.emulator.createKey({ scopes: [] })), forbidden));
});

test("a refusal for the key comes before any look at the request", async () => {
  refused(await target.call("createProject", { key: null, raw: "{not JSON" }), unauthorized);
  refused(await target.call("listProjects", { key: null, query: { limit: 0 } }), unauthorized);
});

import { expect, test } from "vitest";
import { call, start, textWith } from "./helpers.ts";

test("the full key is needed, and its header", async () => {
  const emulator = await start();
  const { apiKey, baseUrl } = emulator;
  expect((await call(emulator, "GET", "/me")).status).toBe(200);
  for (const key of ["", apiKey.slice(0, 12), `${apiKey}0`, "wrong"]) {
    const { status, body, headers } = await call(emulator, "GET", "/me", undefined, key);
    expect([key, status, body.error]).toEqual([key, 401, "unauthorized"]);
    expect(headers.get("www-authenticate")).toBe("Bearer");
  }
  for (const Authorization of [apiKey, `Basic ${apiKey}`, "Bearer", `Bearer ${apiKey} more`]) {
    expect((await fetch(`${baseUrl}/me`, { headers: { Authorization } })).status).toBe(401);
  }
});

test("openapi.json needs no key", async () => {
  const emulator = await start();
  const { status, body } = await call(emulator, "GET", "/openapi.json", undefined, "");
  expect([status, body["openapi"]]).toEqual([200, "3.0.3"]);
});

test("an expired key gets 401, one that expires later does not", async () => {
  const emulator = await start();
  const expired = emulator.createKey({ expiresAt: new Date(Date.now() - 1) });
  const { status, body } = await call(emulator, "GET", "/me", undefined, expired);
  expect([status, body.message]).toEqual([401, textWith("expired at")]);
  const fresh = emulator.createKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  expect((await call(emulator, "GET", "/me", undefined, fresh)).status).toBe(200);
});

test("a revoked key gets 401 from the next call on", async () => {
  const emulator = await start();
  const key = emulator.createKey();
  expect((await call(emulator, "GET", "/me", undefined, key)).status).toBe(200);
  emulator.revokeKey(key);
  expect((await call(emulator, "GET", "/me", undefined, key)).body).toMatchObject({ error: "unauthorized" });
});

test("an IP list allows addresses and blocks, and an empty one all", async () => {
  const emulator = await start();
  const status = async (allowIps: string[]): Promise<number> =>
    (await call(emulator, "GET", "/me", undefined, emulator.createKey({ allowIps }))).status;
  expect(await status([])).toBe(200);
  expect(await status(["127.0.0.1"])).toBe(200);
  expect(await status(["10.0.0.0/8", "127.0.0.0/30"])).toBe(200);
  expect(await status(["10.0.0.0/8", "127.0.0.2"])).toBe(403);
});

test("an IP list holds IPv4 addresses and blocks, nothing else", async () => {
  const emulator = await start();
  for (const entry of ["::1", "127.0.0.1/33", "127.1", "0x7f000001", "localhost", ""]) {
    expect(() => emulator.createKey({ allowIps: [entry] })).toThrow("neither an IPv4 address nor an IPv4 CIDR block");
  }
  expect(() => emulator.createKey({ scopes: ["pages:delete"] })).toThrow('no scope "pages:delete"');
});

test("any one of the listed scopes will do, and the refusal names them", async () => {
  const emulator = await start();
  const as = (...scopes: string[]) =>
    call(emulator, "GET", "/pages/builder?page_id=x", undefined, emulator.createKey({ scopes }));
  expect((await as("builder:read")).status).toBe(404);
  expect((await as("pages:read")).status).toBe(404);
  const refused = await as("pages:write", "builder:write");
  expect([refused.status, refused.body]).toEqual([
    403,
    {
      error: "forbidden",
      message: "The API key lacks what this call needs: any of the scopes builder:read, pages:read.",
    },
  ]);
});

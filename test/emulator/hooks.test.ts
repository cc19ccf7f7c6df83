import { describe, expect, test } from "vitest";
import { checkTarget, type HookRules } from "../../emulator/visitors/hook-rules.ts";
import { call, create, project, receiver, start, textWith } from "./helpers.ts";

/** A resolver that knows a public host, an inside host, and one that is both. */
const lookup: HookRules["lookup"] = (host) => {
  const addresses = {
    "hooks.example": ["93.184.216.34"],
    "inside.example": ["10.1.2.3"],
    "both.example": ["93.184.216.34", "::1"],
  }[host];
  return addresses === undefined ? Promise.reject(new Error("ENOTFOUND")) : Promise.resolve(addresses);
};

describe("the rules of target_url", () => {
  test("with loopback allowed, http is allowed there too, and nowhere else", async () => {
    const rules = { allowLoopback: true, lookup };
    for (const host of ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
      await expect(checkTarget(`http://${host}/`, rules)).resolves.toHaveProperty("url.host", host);
    for (const target of ["http://hooks.example", "https://10.0.0.1", "https://both.example", "http://u@127.0.0.1"])
      await expect(checkTarget(`${target}/`, rules)).rejects.toMatchObject({ reason: "rejected_hook" });
  });

  test("are told to the caller without the password", async () => {
    const emulator = await start({ lookup });
    const body = { target_url: "https://me:hunter2@hooks.example/", event_type: "page.created" };
    const { status, body: answer } = await call(emulator, "POST", "/hooks", body);
    expect([status, answer.error]).toEqual([400, "invalid_target_url"]);
    expect(answer.message).not.toContain("hunter2");
  });
});

describe("deliveries", () => {
  test("check the host again: a name that has moved inside gets nothing", async () => {
    const { url, received } = await receiver();
    let address = "93.184.216.34";
    const emulator = await start({ lookup: () => Promise.resolve([address]) });
    const target_url = url.replace("http://127.0.0.1", "https://hooks.example");
    await create(emulator, "/hooks", { target_url, event_type: "project.created" });
    address = "127.0.0.1";
    await create(emulator, "/projects", project);
    await emulator.idle();
    expect(received).toEqual([]);
    expect(emulator.deliveries).toMatchObject([
      { status: undefined, error: textWith("hooks.example is at 127.0.0.1") },
    ]);
  });

  test("go to the address that was checked, and follow no redirect", async () => {
    const hook = await receiver();
    hook.status = 307;
    const emulator = await start({ allowLoopbackHooks: true, lookup: () => Promise.resolve(["127.0.0.1"]) });
    const target_url = hook.url.replace("127.0.0.1", "hooks.example");
    await create(emulator, "/hooks", { target_url, event_type: "project.created" });
    await create(emulator, "/projects", project);
    await emulator.idle();
    expect(hook.received.map(({ headers }) => headers.host)).toEqual([new URL(target_url).host]);
    expect(emulator.deliveries).toMatchObject([{ status: 307, attempt: 1 }]);
  });

  test("loopback needs the switch at delivery too", async () => {
    const emulator = await start();
    const body = { target_url: "http://127.0.0.1:1/", event_type: "page.created" };
    expect((await call(emulator, "POST", "/hooks", body)).body.error).toBe("invalid_target_url");
  });
});

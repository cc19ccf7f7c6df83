import { describe, expect, test } from "vitest";
import { checkTarget, type HookRules } from "../../emulator/visitors/hook-rules.ts";
import { call, create, offerPage, ok, project, receiver, start, textWith } from "./helpers.ts";

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
  test.each([
    "https://hooks.example/x",
    "https://hooks.example./x?y=1#z",
    "https://HOOKS.EXAMPLE:8443/",
    "https://93.184.216.34/",
    "https://[2606:4700::1111]/",
    "https://nobody-knows.example/",
  ])("accept %s", async (target) => {
    await expect(checkTarget(target, { allowLoopback: false, lookup })).resolves.toHaveProperty("url");
  });

  test.each([
    "http://hooks.example/x",
    "ftp://hooks.example/x",
    "javascript:alert(1)",
    "https://user@hooks.example/",
    "https://user:secret@hooks.example/",
    "https://:secret@hooks.example/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://printer.local./",
    "https://metadata.google.internal/",
    "https://intranet/",
    "https://127.0.0.1/",
    "https://127.0.0.1./",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://0/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[::127.0.0.1]/",
    "https://[::a9fe:a9fe]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[fe80::1]/",
    "https://[fd00:ec2::254]/",
    "https://[2002:7f00:1::]/",
    "https://inside.example/",
    "https://both.example/",
  ])("refuse %s", async (target) => {
    await expect(checkTarget(target, { allowLoopback: false, lookup })).rejects.toMatchObject({
      reason: "rejected_hook",
    });
  });

  test("with loopback allowed, http is allowed there too, and nowhere else", async () => {
    const rules = { allowLoopback: true, lookup };
    for (const host of ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"]) {
      await expect(checkTarget(`http://${host}/`, rules)).resolves.toHaveProperty("url.host", host);
    }
    for (const target of [
      "http://hooks.example/",
      "https://10.0.0.1/",
      "https://both.example/",
      "http://u@127.0.0.1/",
    ]) {
      await expect(checkTarget(target, rules)).rejects.toMatchObject({ reason: "rejected_hook" });
    }
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
  test("every event is sent to its subscribers, and shaped as its sample", async () => {
    const { url, received } = await receiver();
    const emulator = await start({ allowLoopbackHooks: true });
    const types = ["project", "site", "page", "product", "funnel"].map((kind) => `${kind}.created`);
    for (const event_type of [...types, "page.published", "form_lead.created", "quiz_lead.created"]) {
      await create(emulator, "/hooks", { target_url: url, event_type, filters: { any: "thing" } });
    }
    const project_id = await create(emulator, "/projects", project);
    const { pageId: page_id, siteId: site_id } = await offerPage(emulator);
    await ok(emulator, "POST", "/pages/publish", { page_id, site_id });
    emulator.submitForm(page_id, { name: "Ada Example", email: "ada@example.com" });
    const quiz_id = await create(emulator, "/quizzes/from-template", { template_id: "tpl-quiz-product" });
    await ok(emulator, "POST", "/pages/publish", { page_id: quiz_id, site_id, slug: "quiz" });
    emulator.submitForm(quiz_id, { email: "ada@example.com" });
    await create(emulator, "/products", { name: "Mug", project_id });
    await create(emulator, "/funnels", { name: "Spring", pages: [{ pageId: page_id, pageType: "presell" }] });
    await emulator.idle();

    const sent = received.map(({ body }) => body.event_type).sort();
    expect(sent).toEqual(
      [...types, "form_lead.created", "page.created", "page.published", "page.published", "quiz_lead.created"].sort(),
    );
    expect(new Set(received.map(({ body }) => body.id)).size).toBe(received.length);
    for (const { headers, body } of received) {
      expect(headers["content-type"]).toBe("application/json");
      const [sample] = await ok<object[]>(emulator, "GET", `/hooks/sample/${String(body.event_type)}`);
      expect(Object.keys(body).sort()).toEqual(Object.keys(sample ?? {}).sort());
    }
    expect(received.find(({ body }) => body.event_type === "form_lead.created")?.body).toMatchObject({
      page_id,
      site_id,
      type: "form",
      first_name: "Ada",
    });
  });

  test("an unknown event type has the form-lead sample", async () => {
    const emulator = await start();
    for (const type of ["video.uploaded", "__proto__", "constructor"]) {
      expect(await ok(emulator, "GET", `/hooks/sample/${type}`)).toMatchObject([{ event_type: "form_lead.created" }]);
    }
  });

  test("stop when the subscription is disabled, which may be said twice", async () => {
    const { url, received } = await receiver();
    const emulator = await start({ allowLoopbackHooks: true });
    const id = await create(emulator, "/hooks", { target_url: url, event_type: "project.created" });
    await create(emulator, "/projects", project);
    await emulator.idle();
    expect(await ok(emulator, "DELETE", `/hooks/${id}`)).toEqual({ success: true });
    expect(await ok(emulator, "DELETE", `/hooks/${id}`)).toEqual({ success: true });
    await create(emulator, "/projects", project);
    await emulator.idle();
    expect(received).toHaveLength(1);
    expect((await call(emulator, "DELETE", "/hooks/hook_none")).body.error).toBe("subscription_not_found");
  });

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

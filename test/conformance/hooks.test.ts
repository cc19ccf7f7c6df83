import { describe, expect, test } from "vitest";
import { eventTypes } from "../schema/specification.ts";
import type { Fields } from "./expectations.ts";
import { ok, record, refused } from "./expectations.ts";
import { missingId } from "./fixtures.ts";
import { openTarget } from "./target.ts";

const target = await openTarget();
// A public address, so that nothing has to be resolved.
const target_url = "https://93.184.215.14/receiver";

async function subscribe(more: object = {}): Promise<Fields> {
  const body = { target_url, event_type: "page.created", ...more };
  const hook = record("HookSubscription", await target.call("createHook", { body }));
  target.later(() => target.call("deleteHook", { at: hook.id }));
  return hook;
}

describe("POST /hooks", () => {
  test.each(eventTypes)("subscribes to %s", async (event_type) => {
    const hook = await subscribe({ event_type });
    expect(hook).toMatchObject({ event_type, active: true });
    expect(Date.parse(String(hook.created_at))).not.toBeNaN();
  });

  test("takes filters", async () => {
    expect((await subscribe({ filters: { page_id: "p" } })).active).toBe(true);
  });

  test("never returns the target URL", async () => {
    expect(JSON.stringify(await subscribe())).not.toContain("receiver");
  });

  test.each(["video.uploaded", "page.deleted", "", "PAGE.CREATED"])("refuses the event type %j", async (event_type) => {
    refused(await target.call("createHook", { body: { target_url, event_type } }), { code: "invalid_request" });
  });

  test.each([{ target_url }, { event_type: "page.created" }, { target_url, event_type: "page.created", filters: 7 }])(
    "refuses %j",
    async (body) => {
      refused(await target.call("createHook", { body }), { code: "invalid_request" });
    },
  );
});

describe("target_url", () => {
  test.each([
    ["no URL", "receiver"],
    ["http", "http://hooks.example.com/a"],
    ["another scheme", "ftp://hooks.example.com/a"],
    ["a user name", "https://user@93.184.215.14/a"],
    ["a password", "https://:secret@93.184.215.14/a"],
    ["localhost", "https://localhost/a"],
    ["localhost in capitals with a port", "https://LOCALHOST:8443/a"],
    ["localhost with a trailing dot", "https://localhost./a"],
    ["a name under localhost", "https://api.localhost/a"],
    [".local", "https://printer.local/a"],
    [".local with a trailing dot", "https://printer.local./a"],
    [".internal", "https://metadata.google.internal/a"],
    ["loopback", "https://127.0.0.1/a"],
    ["loopback elsewhere in 127/8", "https://127.8.9.1/a"],
    ["loopback in decimal", "https://2130706433/a"],
    ["loopback in hex", "https://0x7f000001/a"],
    ["loopback in octal", "https://0177.0.0.1/a"],
    ["loopback shortened", "https://127.1/a"],
    ["the unspecified address", "https://0.0.0.0/a"],
    ["10/8", "https://10.1.2.3/a"],
    ["172.16/12", "https://172.31.255.1/a"],
    ["192.168/16", "https://192.168.0.10/a"],
    ["link-local", "https://169.254.10.1/a"],
    ["cloud metadata", "https://169.254.169.254/latest/meta-data"],
    ["IPv6 loopback", "https://[::1]/a"],
    ["IPv6 unspecified", "https://[::]/a"],
    ["IPv6 link-local", "https://[fe80::1]/a"],
    ["IPv6 unique local", "https://[fd00::1]/a"],
    ["IPv4-mapped loopback", "https://[::ffff:127.0.0.1]/a"],
    ["IPv4-mapped private in hex", "https://[::ffff:a01:203]/a"],
    ["IPv4-compatible loopback", "https://[::127.0.0.1]/a"],
  ])("refuses %s", async (_, url) => {
    refused(await target.call("createHook", { body: { target_url: url, event_type: "page.created" } }));
  });

  test.each([
    "https://93.184.215.14/a?token=x",
    "https://93.184.215.14:8443/a",
    "https://172.32.0.1/a",
    "https://[2606:4700::1]/",
  ])("takes %s", async (url) => {
    expect((await subscribe({ target_url: url })).active).toBe(true);
  });
});

describe("DELETE /hooks/{subscriptionId}", () => {
  test("answers success", async () => {
    const hook = await subscribe();
    expect(ok(await target.call("deleteHook", { at: hook.id }))).toMatchObject({ success: true });
  });

  test("refuses a subscription that does not exist", async () => {
    refused(await target.call("deleteHook", { at: missingId }));
  });
});

describe("GET /hooks/sample/{eventType}", () => {
  const sample = async (at: string) => {
    const events = ok(await target.call("getHookSample", { at })) as Fields[];
    expect(events).toHaveLength(1);
    return events[0];
  };

  test.each(eventTypes)("shows %s", async (event_type) => {
    const event = await sample(event_type);
    expect(event).toMatchObject({ event_type });
    expect(event?.id).toBeTypeOf("string");
    expect(Object.keys(event ?? {}).length).toBeGreaterThan(2);
  });

  test("an unknown type shows the form lead", async () => {
    expect(await sample("video.uploaded")).toMatchObject({ event_type: "form_lead.created" });
  });
});

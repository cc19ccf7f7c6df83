import { describe, expect, test } from "vitest";
import { eventTypes } from "../schema/specification.ts";
import { type Fields, ok, refused } from "./expectations.ts";
import { made, missingId } from "./fixtures.ts";
import { openTarget } from "./target.ts";

const target = await openTarget();
// A public address, so that nothing has to be resolved.
const target_url = "https://93.184.215.14/receiver";

const subscribe = (more: object = {}): Promise<Fields> =>
  made(target, "createHook", { target_url, event_type: "page.created", ...more }, "deleteHook");

describe("POST /hooks", () => {
  test.each(eventTypes)("subscribes to %s", async (event_type) => {
    const hook = await subscribe({ event_type });
    expect(hook).toMatchObject({ event_type, active: true });
    expect(Date.parse(String(hook.created_at))).not.toBeNaN();
  });

  test("takes filters", async () => expect((await subscribe({ filters: { page_id: "p" } })).active).toBe(true));

  test("never returns the target URL", async () => expect(JSON.stringify(await subscribe())).not.toContain("receiver"));

  test.each(["video.uploaded", "page.deleted", "", "PAGE.CREATED"])("refuses the event type %j", async (event_type) => {
    refused(await target.call("createHook", { body: { target_url, event_type } }), { code: "invalid_request" });
  });
});

describe("target_url", () => {
  test.each([
    "https://93.184.215.14/a?token=x",
    "https://93.184.215.14:8443/a",
    "https://172.32.0.1/a",
    "https://[2606:4700::1]/",
  ])("takes %s", async (url) => expect((await subscribe({ target_url: url })).active).toBe(true));
});

describe("DELETE /hooks/{subscriptionId}", () => {
  test("answers success", async () => {
    const hook = await subscribe();
    expect(ok(await target.call("deleteHook", { at: hook.id }))).toMatchObject({ success: true });
  });

  test("refuses a subscription that does not exist", async () =>
    refused(await target.call("deleteHook", { at: missingId })));
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

  test("an unknown type shows the form lead", async () =>
    expect(await sample("video.uploaded")).toMatchObject({ event_type: "form_lead.created" }));
});

/** The helper for receivers of webhooks. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  hookReceiver,
  nodeListener,
  rememberEvents,
  type HookEvent,
  type Receive,
} from "../../provider/hooks/index.ts";

const lead = { id: "evt_1", event_type: "form_lead.created", email: "ada@example.com" };

function post(receive: Receive, body: unknown, token = "right"): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return receive(new Request(`https://crm.example.com/in?landform_token=${token}`, { method: "POST", body: text }));
}

test("an event is handled, and a second delivery of it is not", async () => {
  const emails: unknown[] = [];
  const receive = hookReceiver({ token: "right", on: { "form_lead.created": ({ email }) => emails.push(email) } });
  expect((await post(receive, lead)).status).toBe(200);
  const again = await post(receive, lead);
  expect([again.status, await again.json()]).toEqual([200, { message: "handled before" }]);
  expect(emails).toEqual(["ada@example.com"]);
  await post(receive, { ...lead, id: "evt_2" });
  expect(emails).toHaveLength(2);
});

test("a delivery without the right token is refused, and its body is never looked at", async () => {
  const handle = vi.fn();
  const receive = hookReceiver({ token: ["right", "next"], on: { "form_lead.created": handle } });
  for (const wrong of ["", "wrong", "right%20", "Right"]) expect((await post(receive, lead, wrong)).status).toBe(403);
  expect((await receive(new Request("https://x.example/", { method: "POST", body: "{}" }))).status).toBe(403);
  expect(handle).not.toHaveBeenCalled();
  expect((await post(receive, lead, "next")).status).toBe(200);
});

test("an empty token would let nobody in, and is refused at once", () => {
  expect(() => hookReceiver({ token: "", on: {} })).toThrow("token is empty");
  expect(() => hookReceiver({ token: "a,".split(","), on: {} })).toThrow("token is empty");
  expect(() => hookReceiver({ token: [], on: {} })).toThrow("token is empty");
});

test("an event whose handler fails is reported, answered with 500, and handled again at the next delivery", async () => {
  const told: unknown[] = [];
  const handle = vi.fn().mockRejectedValueOnce(new Error("the database is away"));
  const onError = (error: unknown, { id }: HookEvent) => told.push(id, error);
  const receive = hookReceiver({ on: { "form_lead.created": handle }, onError });
  expect((await post(receive, lead)).status).toBe(500);
  expect(told).toEqual(["evt_1", new Error("the database is away")]);
  expect((await post(receive, lead)).status).toBe(200);
  expect(handle).toHaveBeenCalledTimes(2);
});

test("two deliveries at the same time are one, also where the first one fails", async () => {
  const gate = Promise.withResolvers<undefined>();
  const handle = vi.fn(() => gate.promise);
  const receive = hookReceiver({ on: { "form_lead.created": handle }, onError: () => undefined });
  const both = [post(receive, lead), post(receive, lead)];
  await vi.waitFor(() => expect(handle).toHaveBeenCalled());
  gate.reject(new Error("no"));
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([500, 500]);
  expect(handle).toHaveBeenCalledTimes(1);
});

test("what nobody handles is taken, and comes again once somebody does", async () => {
  const seen = rememberEvents();
  const none = hookReceiver({ on: {}, seen });
  expect(await (await post(none, lead)).json()).toEqual({ message: "not handled here" });
  expect(await (await post(none, { ...lead, event_type: "toString" })).json()).toEqual({ message: "not handled here" });
  const handle = vi.fn();
  await post(hookReceiver({ on: { "form_lead.created": handle }, seen }), lead);
  expect(handle).toHaveBeenCalledTimes(1);
});

test.each([
  ["{", 400, "the body is not JSON"],
  ["[]", 400, "the body is not an object"],
  ["null", 400, "the body is not an object"],
  [{ event_type: "page.created" }, 400, "the event has no id"],
  [{ id: "e" }, 400, "the event has no event_type"],
  [{ id: "x".repeat(1000) }, 413, "the body is larger than 1000 bytes"],
])("body %# is answered with %i", async (body, status, message) => {
  const answer = await post(hookReceiver({ on: {}, maxBytes: 1000 }), body);
  expect([answer.status, await answer.json()]).toEqual([status, { message }]);
});

test("the memory forgets the oldest first", async () => {
  const seen = rememberEvents(2);
  for (const id of ["a", "b", "c"]) await seen.add(id);
  expect([seen.has("a"), seen.has("b"), seen.has("c")]).toEqual([false, true, true]);
});

test("on node:http: methods, large bodies and a closed connection", async () => {
  const receive = hookReceiver({ token: "right", on: { "form_lead.created": () => undefined }, maxBytes: 1000 });
  const server = createServer(nodeListener(receive)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?landform_token=right`;
  const sent = async (init: RequestInit): Promise<number> => (await fetch(url, init)).status;
  expect(await sent({})).toBe(405);
  expect(await sent({ method: "POST", body: JSON.stringify(lead) })).toBe(200);
  expect(await sent({ method: "POST", body: "x".repeat(1001) })).toBe(413);
  expect(await sent({ method: "POST", body: JSON.stringify(lead) })).toBe(200);
});

import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, calls, ResourceTest, UNKNOWN, applied, worldOfAll } from "./harness.ts";
import { type Change, changeTable, refreshPlansNothing, type Setting, unique, writes } from "./table.ts";

const eventType = "form_lead.created";
const targetUrl = "https://hooks.example.com/leads?key=s3cret";

const world = worldOfAll();

/** The emulator resolves the host of a receiver, so these receivers are addresses. */
const receiver = (path: string): string => `https://8.8.8.8/${path}`;
const setting: Setting = { kind: "hook", world: () => world, base: () => ({ eventType, targetUrl: receiver("a") }) };
const anew = { outcome: "replaced", sends: [["POST /hooks"], ["DELETE /hooks/ID"]] } satisfies Partial<Change>;

changeTable(setting, [
  { input: "eventType", to: { eventType: "page.published" }, ...anew, removal: "required" },
  { input: "targetUrl", to: { targetUrl: receiver("b") }, ...anew, removal: "required" },
  { input: "filters", to: { filters: { form: ["a", { deep: null }] } }, ...anew, removal: anew },
  { input: "token", to: { token: true }, ...anew, removal: anew },
]);

test("a refused URL fails the check by name without showing the URL, which Pulumi would print with its property", async () => {
  const hook = new ResourceTest(world, "hook", unique("refused"));
  await expect(hook.check({ eventType, targetUrl: "https://user:s3cret@example.com/" })).rejects.toThrow(
    /^: targetUrl: the URL must not carry a user name or password$/,
  );
  await expect(hook.check({ eventType: "video.uploaded", targetUrl })).rejects.toThrow(
    /eventType: .*form_lead\.created/,
  );
  await hook.check({ eventType: UNKNOWN, targetUrl: UNKNOWN, filters: UNKNOWN, token: UNKNOWN });
  expect(world.emulator.requests).toEqual([]);
});

test("a token is added to the URL, kept, and shown as an output", async () => {
  const hook = new ResourceTest(world, "hook", unique("token"));
  const declared: PropertyMap = { eventType, targetUrl: receiver("a?x=1"), token: true };
  await hook.apply(declared);
  const [post] = world.emulator.requests.filter(({ method }) => method === "POST");
  const { target_url } = post?.body as { target_url: string };
  const token = new URL(target_url).searchParams.get("landform_token");
  expect(token).toMatch(/^[0-9a-f]{32}$/);
  expect(new URL(target_url).searchParams.get("x")).toBe("1");
  expect(hook.outputs["deliveryToken"]).toBe(token);
  await refreshPlansNothing(hook, declared);
});

test("refresh asks nothing, since the service never shows a subscription", async () => {
  const hook = await applied(world, "hook", unique("blind"), setting.base());
  calls(world);
  await hook.refresh();
  expect(calls(world)).toEqual([]);
  expect(hook.outputs).toMatchObject({ eventType, active: true, targetUrl: receiver("a") });
});

test("a lost answer says that an orphan may be left, and the next run creates", async () => {
  const hook = new ResourceTest(world, "hook", unique("lost"));
  world.emulator.faults.add({ method: "POST", path: "/hooks", phase: "after" });
  await expect(hook.up(setting.base())).rejects.toThrow(
    /Landform does not know if the service created hook "\S+": POST \/hooks: .*, and the API has no way to look for it\. It may exist as an orphan that Landform can't remove\. Run the command again to create it; look in the app for a second one\./,
  );
  expect(await hook.apply(setting.base())).toBe("created");
});

test("deletion disables it; a second time and by hand it is the same", async () => {
  const hook = await applied(world, "hook", unique("deleted"), setting.base());
  await byHand(world, "DELETE", `/hooks/${hook.id}`);
  const { id } = hook;
  await hook.delete();
  expect(writes(world, id)).toEqual([["DELETE /hooks/ID"]]);
});

import { describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { targetUrlFault } from "../../provider/api/public-hosts.ts";
import { byHand, calls, openWorld, ResourceTest, UNKNOWN, applied, worldOfAll } from "./harness.ts";
import { changeTable, refreshPlansNothing, type Setting, unique, writes } from "./table.ts";
import { inTest } from "../suite/opened.ts";

const accepted = [
  "https://example.com",
  "https://example.com/",
  "https://example.com./hook",
  "https://example.com:8443/hook?a=1#part",
  "HTTPS://EXAMPLE.COM/Hook",
  "https://sub.sub.example.co.uk/x",
  "https://xn--bcher-kva.example/x",
  "https://bücher.example/x",
  "https://8.8.8.8/x",
  "https://134744072/x",
  "https://0x08080808/",
  "https://[2606:4700:4700::1111]/x",
  "https://localhost.example.com/x",
  "https://local.example.com/x",
  "https://internal.example.com/x",
  "https://mylocal.example/x",
  "https://notinternal.example/",
  "https://example.com/path@with-at",
  "https://example.com/?to=a@b.example",
  "https://example.com/#@x",
  "https://172.15.0.1/",
  "https://172.32.0.1/",
  "https://11.0.0.1/",
];

const refused: [url: string, reason: RegExp][] = [
  ["http://example.com/", /http:\/\/ is refused/],
  ["HTTP://example.com/", /http:\/\/ is refused/],
  ["ftp://example.com/", /must start with https/],
  ["example.com/hook", /must start with https/],
  ["//example.com/hook", /must start with https/],
  ["https:example.com", /must start with https/],
  ["https:///example.com", /must start with https/],
  ["https:\\\\example.com", /must start with https/],
  ["javascript:alert(1)", /must start with https/],
  ["https://", /must start with https/],
  ["https://exa mple.com/", /white space/],
  [" https://example.com/", /white space/],
  ["https://example.com/\n", /white space/],
  ["https://example.com/\u0000", /white space or control/],
  ["https://user@example.com/", /user name or password/],
  ["https://user:pass@example.com/", /user name or password/],
  ["https://:pass@example.com/", /user name or password/],
  ["https://@example.com/", /user name or password/],
  ["https://example.com@127.0.0.1/", /user name or password/],
  ["https://localhost/", /localhost/],
  ["https://LOCALHOST/", /localhost/],
  ["https://localhost./", /localhost/],
  ["https://localhost:8443/", /localhost/],
  ["https://app.localhost/", /localhost/],
  ["https://printer.local/", /\.local hosts/],
  ["https://printer.local./", /\.local hosts/],
  ["https://PRINTER.LOCAL/", /\.local hosts/],
  ["https://metadata.google.internal/", /\.internal hosts/],
  ["https://api.internal../", /empty label|\.internal hosts|not a valid URL/],
  ["https://intranet/", /without a dot/],
  ["https://a..example/", /empty label/],
  ["https://127.0.0.1/", /not public \(loopback\)/],
  ["https://127.0.0.1./", /not public \(loopback\)/],
  ["https://127.1/", /not public \(loopback\)/],
  ["https://2130706433/", /not public \(loopback\)/],
  ["https://0x7f000001/", /not public \(loopback\)/],
  ["https://0x7f.0.0.1/", /not public \(loopback\)/],
  ["https://0177.0.0.1/", /not public \(loopback\)/],
  ["https://017700000001/", /not public \(loopback\)/],
  ["https://127.0.0.1%2e/", /not public|not a valid URL/],
  ["https://１２７.０.０.１/", /not public \(loopback\)/],
  ["https://127。0。0。1/", /not public \(loopback\)/],
  ["https://0.0.0.0/", /not public/],
  ["https://0/", /not public/],
  ["https://10.0.0.1/", /not public \(private\)/],
  ["https://172.16.0.1/", /not public \(private\)/],
  ["https://172.31.255.255/", /not public \(private\)/],
  ["https://192.168.1.1/", /not public \(private\)/],
  ["https://3232235777/", /not public \(private\)/],
  ["https://169.254.169.254/latest/meta-data", /not public \(linkLocal\)/],
  ["https://0xa9fea9fe/", /not public \(linkLocal\)/],
  ["https://100.64.0.1/", /not public \(carrierGradeNat\)/],
  ["https://198.18.0.1/", /not public/],
  ["https://192.0.2.1/", /not public/],
  ["https://224.0.0.1/", /not public \(multicast\)/],
  ["https://255.255.255.255/", /not public \(broadcast\)/],
  ["https://240.0.0.1/", /not public \(reserved\)/],
  ["https://[::1]/", /not public|wraps/],
  ["https://[::]/", /not public|wraps/],
  ["https://[fe80::1]/", /not public \(linkLocal\)/],
  ["https://[fc00::1]/", /not public \(uniqueLocal\)/],
  ["https://[fd00:ec2::254]/", /not public \(uniqueLocal\)/],
  ["https://[ff02::1]/", /not public \(multicast\)/],
  ["https://[::ffff:127.0.0.1]/", /not public \(ipv4Mapped\)/],
  ["https://[::ffff:8.8.8.8]/", /not public \(ipv4Mapped\)/],
  ["https://[::127.0.0.1]/", /wraps/],
  ["https://[64:ff9b::127.0.0.1]/", /not public/],
  ["https://[64:ff9b:1::1]/", /not public/],
  ["https://[2002:7f00:1::]/", /not public/],
  ["https://[2001:db8::1]/", /not public/],
  ["https://[2001::1]/", /not public/],
  ["https://[fec0::1]/", /not public/],
  ["https://[::1", /not a valid URL/],
  ["https://example.com:99999/", /not a valid URL/],
  ["https://999.1.1.1/", /not a valid URL/],
];

describe("target URLs", () => {
  test("there are enough of them", () => expect(accepted.length + refused.length).toBeGreaterThan(60));
  test.each(accepted)("%s is accepted", (url) => expect(targetUrlFault(url)).toBeUndefined());
  test.each(refused)("%j is refused", (url, reason) => {
    const fault = targetUrlFault(url);
    expect(fault).toMatch(reason);
    if (url.includes("pass")) expect(fault).not.toContain(":pass");
  });
});

const eventType = "form_lead.created";
const targetUrl = "https://hooks.example.com/leads?key=s3cret";

const world = worldOfAll();

/** The emulator resolves the host of a receiver, so these receivers are addresses. */
const receiver = (path: string): string => `https://8.8.8.8/${path}`;
const setting: Setting = {
  kind: "hook",
  world: () => world,
  base: () => ({ eventType, targetUrl: receiver("a") }),
};
const anew = (): [string][] => [["POST /hooks"], ["DELETE /hooks/ID"]];
const removal = { outcome: "replaced", sends: anew } as const;

changeTable(setting, [
  {
    input: "eventType",
    to: () => ({ eventType: "page.published" }),
    outcome: "replaced",
    sends: anew,
    removal: "required",
  },
  {
    input: "targetUrl",
    to: () => ({ targetUrl: receiver("b") }),
    outcome: "replaced",
    sends: anew,
    removal: "required",
  },
  {
    input: "filters",
    to: () => ({ filters: { form: ["a", { deep: null }] } }),
    outcome: "replaced",
    sends: anew,
    removal,
  },
  { input: "token", to: () => ({ token: true }), outcome: "replaced", sends: anew, removal },
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

test("nothing is waited for that could not be found", async () => {
  const patient = await inTest(openWorld({}, { LANDFORM_PATIENCE_MS: "3600000" }));
  const hook = new ResourceTest(patient, "hook", unique("at-once"));
  expect(await hook.apply(setting.base())).toBe("created");
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

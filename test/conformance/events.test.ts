/** Deliveries. The receiver listens on loopback, which only our own server can allow. */
import { expect, test } from "vitest";
import { type Receiver, receiver } from "../emulator/helpers.ts";
import { type Fields, ok } from "./expectations.ts";
import {
  eventually,
  makeFunnel,
  makePage,
  makeProduct,
  makeProject,
  makeQuiz,
  makeSite,
  makeTemplatedPage,
  publish,
  someTemplate,
} from "./fixtures.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget({ allowLoopbackHooks: true });

type Subscription = Receiver & { readonly id: string };

/** Subscribes a receiver of its own. */
async function subscribe(event_type: string): Promise<Subscription> {
  const hook = await receiver();
  return Object.assign(hook, await target.record("createHook", { body: { target_url: hook.url, event_type } }));
}

/** Returns what was sent about an object, once there is something. */
function delivered({ received }: Subscription, about: string): Promise<Receiver["received"]> {
  const matching = () => received.filter(({ body }) => JSON.stringify(body).includes(JSON.stringify(about)));
  return eventually(
    () => Promise.resolve(matching()),
    (found) => found.length > 0,
  );
}

test.runIf(ownServer).each([
  ["page.created", () => makePage(target)],
  ["page.created", async () => makeTemplatedPage(target, (await someTemplate(target)).id)],
  ["page.created", () => makeQuiz(target)],
  ["product.created", () => makeProduct(target)],
  ["funnel.created", () => makeFunnel(target)],
  ["site.created", () => makeSite(target)],
  ["project.created", () => makeProject(target)],
])("%s is sent once", async (event_type, create) => {
  const hook = await subscribe(event_type);
  const found = await delivered(hook, (await create()).id);
  expect(found).toMatchObject([{ method: "POST", body: { event_type, id: expect.any(String) as string } }]);
  expect(found[0]?.headers["content-type"]).toContain("application/json");
});

test.runIf(ownServer)("page.published is sent with every publication", async () => {
  const hook = await subscribe("page.published");
  const page = await makePage(target);
  await publish(target, page.id);
  expect(await delivered(hook, page.id)).toHaveLength(1);
});

test.runIf(ownServer)("a disabled subscription gets nothing more", async () => {
  const [kept, disabled] = [await subscribe("product.created"), await subscribe("product.created")];
  ok(await target.call("deleteHook", { at: disabled.id }));
  const product = await makeProduct(target);
  expect(await delivered(kept, product.id)).toHaveLength(1);
  ok(await target.call("deleteHook", { at: kept.id }));
  await makeProduct(target);
  const marker = await subscribe("site.created");
  const site = await makeSite(target);
  expect(await delivered(marker, site.id)).toHaveLength(1);
  expect([kept.received.length, disabled.received]).toEqual([1, []]);
});

test.runIf(ownServer)("a delivered event has the fields of the sample", async () => {
  const hook = await subscribe("project.created");
  const [delivery] = await delivered(hook, (await makeProject(target)).id);
  const [sample] = ok(await target.call("getHookSample", { at: "project.created" })) as Fields[];
  expect(Object.keys(delivery?.body ?? {}).sort()).toEqual(Object.keys(sample ?? {}).sort());
});

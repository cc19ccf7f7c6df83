/** Deliveries. The receiver listens on loopback, which only our own server can allow. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Fields } from "./expectations.ts";
import { ok, record } from "./expectations.ts";
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

interface Delivery {
  method: string | undefined;
  contentType: string | undefined;
  event: Fields & { event_type: string };
}

const deliveries: Delivery[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const event = JSON.parse(Buffer.concat(chunks).toString()) as Delivery["event"];
    deliveries.push({ method: request.method, contentType: request.headers["content-type"], event });
    response.end("{}");
  });
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const target_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

const target = await openTarget({ allowLoopbackHooks: true });
target.later(() => new Promise((resolve) => receiver.close(resolve)));

async function subscribe(event_type: string): Promise<Fields> {
  return record("HookSubscription", await target.call("createHook", { body: { target_url, event_type } }));
}

async function delivered(event_type: string, about: string): Promise<Delivery[]> {
  const matching = () => deliveries.filter(({ event }) => event.event_type === event_type && mentions(event, about));
  return eventually(
    () => Promise.resolve(matching()),
    (found) => found.length > 0,
  );
}

const mentions = (event: object, id: string): boolean => JSON.stringify(event).includes(JSON.stringify(id));

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
  const created = await create();
  const found = await delivered(event_type, created.id);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ method: "POST", event: { event_type } });
  expect(found[0]?.contentType).toContain("application/json");
  expect(found[0]?.event.id).toBeTypeOf("string");
  await target.call("deleteHook", { at: hook.id });
});

test.runIf(ownServer)("page.published is sent with every publication", async () => {
  await subscribe("page.published");
  const page = await makePage(target);
  await publish(target, page.id);
  expect(await delivered("page.published", page.id)).toHaveLength(1);
});

test.runIf(ownServer)("a disabled subscription gets nothing more", async () => {
  const [kept, disabled] = [await subscribe("product.created"), await subscribe("product.created")];
  ok(await target.call("deleteHook", { at: disabled.id }));
  const product = await makeProduct(target);
  expect(await delivered("product.created", product.id)).toHaveLength(1);
  ok(await target.call("deleteHook", { at: kept.id }));
  const unseen = await makeProduct(target);
  const marker = await subscribe("site.created");
  const site = await makeSite(target);
  expect(await delivered("site.created", site.id)).toHaveLength(1);
  expect(deliveries.filter(({ event }) => mentions(event, unseen.id))).toEqual([]);
  ok(await target.call("deleteHook", { at: marker.id }));
});

test.runIf(ownServer)("a delivered event has the fields of the sample", async () => {
  const hook = await subscribe("project.created");
  const project = await makeProject(target);
  const [delivery] = await delivered("project.created", project.id);
  const [sample] = ok(await target.call("getHookSample", { at: "project.created" })) as Fields[];
  expect(Object.keys(delivery?.event ?? {}).sort()).toEqual(Object.keys(sample ?? {}).sort());
  await target.call("deleteHook", { at: hook.id });
});

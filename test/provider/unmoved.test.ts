/** Writes that are answered with success and with the record as it was. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ObjectState } from "../../provider/lifecycle/object-state.ts";
import { unmovedIn } from "../../provider/lifecycle/unmoved.ts";
import type { Json } from "../../provider/json.ts";
import { calls, LONG, openHost, openWorld, ResourceTest, type World } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";

describe("an answer as it was before", () => {
  const rules = { rule: (field: string) => ({ live: (answer: Record<string, Json>) => answer[field] }) };
  const unmoved = (was: Json, sent: Json, shown: Json = was): string[] => {
    const object = new ObjectState(rules, "1");
    object.learn({ field: was });
    return unmovedIn(object, { field: shown }, { field: sent });
  };

  test.each<[Json, Json]>([
    [3, 4],
    ["Mug", "Cup"],
    [true, false],
    ["Thanks [lf-1-2]", "Thanks"],
  ])("%j denies %j", (was, sent) => expect(unmoved(was, sent)).toEqual(["field"]));

  test.each<[Json, Json]>([
    ["Mug", " mug "],
    ["Mug", "<b>Mug</b>"],
    ["A name that is c", "A name that is cut"],
    [3, 3.4],
    ["4.9", ""],
    [["a"], ["b"]],
    [null, "Mug"],
  ])("%j may come of %j", (was, sent) => expect(unmoved(was, sent)).toEqual([]));

  test("another one than before is believed, whatever was sent", () => expect(unmoved("a", "b", "c")).toEqual([]));

  test("what the answer doesn't show is not doubted", () => {
    const object = new ObjectState(rules, "1");
    object.learn({ field: "a" });
    expect(unmovedIn(object, { other: 1 }, { field: "b" })).toEqual([]);
  });
});

describe("of a service", () => {
  let world: World;
  let host: World["host"];
  /** What PATCH does: nothing at all, or all of it with an answer of before. */
  let patches: "done" | "not done" | "answered late" = "done";
  const server = createServer((request, response) => void pass(request, response));

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const { method = "GET", url = "" } = request;
    const headers = { authorization: request.headers.authorization ?? "", "content-type": "application/json" };
    const service = (path: string, init: RequestInit = {}) =>
      fetch(`${world.emulator.url}${path}`, { headers, ...init });
    const isDenied = method === "PATCH" && patches !== "done";
    const ids = isDenied ? (JSON.parse(body) as { product_id?: string; funnel_id?: string }) : {};
    const path = ids.product_id ? `${url}/${ids.product_id}` : ids.funnel_id ? `${url}/${ids.funnel_id}` : url;
    const before = isDenied ? await (await service(path)).json() : undefined;
    const isSent = !isDenied || patches === "answered late";
    const answered = isSent ? await service(url, { method, ...(body !== "" && { body }) }) : undefined;
    const json = before ?? (await answered?.json());
    response.writeHead(answered?.status ?? 200, { "content-type": "application/json" }).end(JSON.stringify(json));
  }

  beforeAll(async () => {
    world = await openWorld();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = { LANDFORM_BASE_URL: `http://127.0.0.1:${port}/v1`, LANDFORM_PATIENCE_MS: "300" };
    ({ host } = openHost(world.emulator, env));
  });
  afterAll(async () => {
    await host.close();
    server.close();
    await world.close();
  });
  beforeEach(() => {
    patches = "done";
  });

  const described = { description: "A project that is there to be renamed, and for nothing else.", context: LONG };
  test.each([
    ["product", "PATCH /products", { price: 3 }, { price: 4 }, "price"],
    ["project", "PATCH /projects/", described, { ...described, name: "Other" }, "name"],
    ["funnel", "PATCH /funnels", {}, { name: "Other" }, "name"],
  ] as const)("%s: it fails by name, and the next run does it", async (kind, call, first, second, field) => {
    const one = new ResourceTest(world, kind, unique("unmoved")).handTo(host.client);
    await one.apply({ ...first });
    patches = "not done";
    await expect(one.up({ ...second })).rejects.toThrow(
      new RegExp(`${call}\\S* was answered with success, and ${one.id} is as it was before: ${field}\\.`),
    );
    patches = "done";
    expect(await one.apply({ ...second })).toBe("updated");
    await refreshPlansNothing(one, { ...second });
  });

  test("a funnel that keeps its steps is not retired", async () => {
    const page = new ResourceTest(world, "page", unique("step"));
    await page.apply({ templateId: "tpl-hero", variables: { brand: "Acme" } });
    const funnel = new ResourceTest(world, "funnel", unique("kept")).handTo(host.client);
    await funnel.apply({ steps: [{ pageId: page.id, pageType: "presell" }] });
    patches = "not done";
    await expect(funnel.delete()).rejects.toThrow(/funnel \S+ still has its steps: it is not retired/);
    patches = "answered late";
    await funnel.delete();
  });

  test("an answer that lags behind is looked into, and believed", async () => {
    const one = new ResourceTest(world, "product", unique("late")).handTo(host.client);
    await one.apply({ price: 3 });
    patches = "answered late";
    expect(await one.apply({ price: 4 })).toBe("updated");
    expect(one.outputs["price"]).toBe(4);
    calls(world);
    await refreshPlansNothing(one, { price: 4 });
  });
});

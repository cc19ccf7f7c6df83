/** The doctor's report on the account. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open());
let plan: unknown = "pro";

/** The emulator with another plan of the account. */
const proxy = createServer((request, response) => {
  void (async () => {
    const headers = { authorization: request.headers.authorization ?? "" };
    const answer = await fetch(`${new URL(desk.emulator.baseUrl).origin}${request.url ?? ""}`, { headers });
    let body = await answer.text();
    if (request.url?.endsWith("/me") === true) body = JSON.stringify({ ...(JSON.parse(body) as object), plan });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  })();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterAll(() => proxy.close());

async function doctor(): Promise<string> {
  const { port } = proxy.address() as AddressInfo;
  const { code, stdout } = await desk.run(["doctor"], {
    env: { LANDFORM_BASE_URL: `http://127.0.0.1:${port}/v1` },
  });
  expect(code).toBe(0);
  return stdout;
}

test.each([
  ["pro", "plan pro"],
  [null, "plan none"],
  [{ id: "plan_1", name: "Team" }, "plan Team"],
  [{ seats: 3 }, 'plan {"seats":3}'],
])("the account's plan, whatever it is: %j", async (told, text) => {
  plan = told;
  expect(await doctor()).toContain(`, ${text}\n`);
});

/** Pages of a release that are drafts although the service answered their publication with success, or although it worked once. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Release, type Text } from "./program.ts";
import { forEachTest } from "../suite/opened.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("../faults/clock.ts")).sleep }));

const FIRST: Text = { offer: "First offer", thanks: "First thanks" };
const DRAFT = { status: "draft", site_id: null, slug: null, url: null, domain: null, published_at: null };

const world = forEachTest(() => Release.open());
/** Names of the pages that every answer shows as drafts. */
const drafts = new Set<string>();
const server = createServer((request, response) => void pass(request, response));

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { method = "GET", url = "", headers } = request;
  const body = Buffer.concat(parts).toString();
  const result = await fetch(`${world.emulator.url}${url}`, {
    method,
    headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
    ...(body !== "" && { body }),
  });
  const told: unknown = await result.json();
  const shown = Array.isArray(told) ? told.map(asShown) : asShown(told);
  response.writeHead(result.status, { "content-type": "application/json" }).end(JSON.stringify(shown));
}

function asShown(record: unknown): unknown {
  const { page_name: name, status } = Object(record) as { page_name?: string; status?: string };
  return status !== undefined && drafts.has(name ?? "") ? { ...Object(record), ...DRAFT } : record;
}

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(world.service, { baseUrl: `http://127.0.0.1:${port}/v1` });
});
afterEach(async () => {
  drafts.clear();
  await new Promise((resolve) => server.close(resolve));
});

test("one that stays a draft fails, nothing that links to it goes out, and the next run publishes all", async () => {
  drafts.add("thanks");
  const failed = await world.up(FIRST);
  expect(failed.error?.message).toMatch(
    /"thanks"\) of this release could not be published: .*is still a draft .*No page/,
  );
  expect(world.published()).toEqual(["thanks"]);
  drafts.clear();
  await world.apply(FIRST);
  expect(world.published()).toEqual(["thanks", "offer"]);
  expect(await world.shown(FIRST)).toEqual(FIRST);
});

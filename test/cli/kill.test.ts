/**
 * kill -9 of a whole run (command, program and provider's host) right after the service has answered its Nth call, with
 * the real provider: the next run converges, and the account holds no object twice.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rounds } from "../suite/parts.ts";
import { Desk } from "./harness.ts";

const RUNS = rounds({ quick: 4, all: 12, full: 100 });
const POINTS = Math.max(4, Math.round(RUNS / 5));
const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);
const PROGRAM = `
const { id: projectId } = new landform.Project("spring", { description: "${LONG}", context: "${LONG}" });
const { id: siteId } = new landform.Site("spring.example", { projectId });
new landform.Product("mug", { price: 12.5, projectId });
const offer = new landform.Page("offer", { projectId, templateId: "tpl-hero", content: { "hero.title": "Hello" }, variables: { brand: "Acme" }, publish: { siteId, slug: "offer" } });
const thanks = new landform.Page("thanks", { projectId, templateId: "tpl-hero", productLabel: "mug" });
new landform.Funnel("spring", { projectId, steps: [{ pageId: offer.id, pageType: "sales" }, { pageId: thanks.id, pageType: "thankyou" }] });
`;

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
  desk.program(PROGRAM);
});
afterEach(() => desk.close());

/** True when the run was still going on then. */
async function upKilledAfter(calls: number): Promise<boolean> {
  const [command = "", ...args] = desk.command("up", "--yes", "--engine", "embedded");
  const child = spawn(command, args, { cwd: desk.folder, env: { ...desk.env }, stdio: "ignore", detached: true });
  const exited = once(child, "exit");
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  while (isRunning() && desk.emulator.requests.length < calls) await new Promise((resolve) => setImmediate(resolve));
  if (isRunning() && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  const [, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  return signal === "SIGKILL";
}

async function names(): Promise<string[]> {
  const headers = { authorization: `Bearer ${desk.emulator.apiKey}` };
  const lists = ["projects", "sites", "pages", "products", "funnels"].map(async (kind) => {
    const answer = await fetch(`${desk.emulator.baseUrl}/${kind}?limit=100`, { headers });
    const rows = (await answer.json()) as { name?: string; page_name?: string }[];
    return rows.map(({ name, page_name }) => `${kind} ${page_name ?? name ?? ""}`);
  });
  return (await Promise.all(lists)).flat().sort();
}

const WANTED = [
  "funnels spring",
  "pages offer",
  "pages thanks",
  "products mug",
  "projects spring",
  "sites spring.example",
];
const env = { LANDFORM_PATIENCE_MS: "300" };

test.for(Array.from({ length: POINTS }, (_, index) => index))(
  "killed at point %i",
  { timeout: 120_000 },
  async (point) => {
    expect(await upKilledAfter(2 + Math.round((point * 26) / POINTS))).toBe(true);
    const next = await desk.run(["up", "--yes", "--engine", "embedded"], { env });
    expect(next.code, next.stdout + next.stderr).toBe(0);
    expect(await names(), next.stdout + next.stderr).toEqual(WANTED);
    const preview = await desk.run(["preview", "--engine", "embedded", "--detailed-exitcode"], { env });
    expect(preview.code, preview.stdout + preview.stderr).toBe(0);
  },
);

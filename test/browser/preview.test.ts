// @module-tag thorough
/** A preview in a real browser: the test clicks through its funnel to the end, and no link leads out of the preview. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Desk } from "../cli/harness.ts";
import { describeInBrowser } from "./support.ts";
import { inTest } from "../suite/opened.ts";

const example = join(import.meta.dirname, "../../examples/preview-per-branch");

describeInBrowser("a preview", (stage) => {
  test("is walked to its last step, and never left", async () => {
    const desk = await inTest(Desk.open());
    cpSync(example, desk.folder, { recursive: true });
    expect((await desk.run(["up", "--stack", "prod", "--yes"])).code).toBe(0);
    const up = await desk.run(["env", "up", "--pr", "12", "--base", "prod", "--yes", "--json", "up.json"]);
    expect([up.code, up.stderr]).toEqual([0, ""]);
    const { urls } = JSON.parse(desk.read("up.json")) as { urls: string[] };
    const addressOf = (slug: string): string => urls.find((url) => url.endsWith(`/${slug}`)) ?? "";
    const within = addressOf("story").slice(0, -"story".length);
    expect(within).toMatch(/\/pr-12-\w{10}\/$/);

    const { page, complaints } = await stage.open(addressOf("story"));
    const seen: string[] = [];
    page.on("framenavigated", (frame) => seen.push(frame.url()));
    const leaving = async (): Promise<string[]> => {
      const links = await page
        .locator("a[href]")
        .evaluateAll((all) => all.map((a) => (a as unknown as { href: string }).href));
      expect(links.length).toBeGreaterThan(0);
      return links.filter((href) => !href.startsWith(within));
    };
    expect(await leaving()).toEqual([]);
    await page.getByRole("link", { name: "Show me the box" }).click();
    await page.waitForURL(addressOf("offer"));
    expect(await leaving()).toEqual([]);
    // The program takes a path from the page, and declares another path.
    await page.getByRole("link", { name: "Read the story" }).click();
    await page.waitForURL(addressOf("story"));
    await page.getByRole("link", { name: "Show me the box" }).click();
    await page.waitForURL(addressOf("offer"));
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("E-mail").fill("ada@mail.example");
    await page.getByRole("button", { name: "Get early access" }).click();
    if (page.url() !== addressOf("thanks")) await page.getByRole("link", { name: "Continue" }).click();
    await page.waitForURL(addressOf("thanks"));
    expect(await leaving()).toEqual([]);
    await page.getByRole("link", { name: "Once more from the start" }).click();
    await page.waitForURL(addressOf("story"));
    // The service itself takes a form and answers with the next page.
    const pages = seen.filter((url) => !new URL(url).pathname.startsWith("/_submit/"));
    expect(pages.length).toBeGreaterThan(4);
    expect(pages.filter((url) => !url.startsWith(within))).toEqual([]);
    expect(complaints).toEqual([]);
  }, 240_000);
});

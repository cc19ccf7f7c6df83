// @module-tag thorough
import { expect, test } from "vitest";
import { describeInBrowser, type Stage } from "./support.ts";

const offer = "One price, paid once";

async function published(stage: Stage, slug: string, delay: object): Promise<string> {
  const { id, url } = await stage.publish("tpl-sales", slug);
  await stage.call("PATCH", "/pages/delay", { page_id: id, ...delay });
  const { site_id } = await stage.call("GET", `/pages/${id}`);
  await stage.call("POST", "/pages/publish", { page_id: id, site_id, slug });
  return url;
}

describeInBrowser("reveal delay", (stage) => {
  test("hides what follows the marker, then reveals it and scrolls to it", async () => {
    const url = await published(stage, "delayed", { time: 1, scroll_into_view: true });
    const { page, complaints } = await stage.open(url);
    expect(await page.getByText("planned in ten minutes").isVisible()).toBe(true);
    expect(await page.getByText(offer).isVisible()).toBe(false);
    await page.getByText(offer).waitFor({ state: "visible" });
    await page.waitForFunction("window.scrollY > 100");
    expect(complaints).toEqual([]);
  });

  test("in step with a video, waits until it is played", async () => {
    const url = await published(stage, "watched", { time: 0.1, sync_with_video: true });
    const { page } = await stage.open(url);
    await page.waitForTimeout(500);
    expect(await page.getByText(offer).isVisible()).toBe(false);
    await page.getByRole("button", { name: /^Play/ }).click();
    await page.getByText(offer).waitFor({ state: "visible" });
  });

  test("hides nothing where no script could reveal it", async () => {
    const url = await published(stage, "no-script", { time: 60 });
    const { page } = await stage.open(url, { javaScriptEnabled: false });
    expect(await page.getByText(offer).isVisible()).toBe(true);
  });
});

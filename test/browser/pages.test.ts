import { expect, test } from "vitest";
import { templates } from "../../emulator/document/index.ts";
import { describeInBrowser, desktop, overflow, phone } from "./support.ts";
import { thorough } from "../suite/parts.ts";

describeInBrowser("published pages", (stage) => {
  test.each(templates.map(({ id }) => id))(
    "%s is seen whole on a desktop and on a phone",
    { tags: ["thorough"] },
    async (id) => {
      const { url } = await stage.publish(id, id);
      for (const viewport of [desktop, phone]) {
        const window = await stage.open(url, { viewport });
        const { page } = window;
        expect(await page.locator("h1").innerText()).not.toBe("");
        expect(await page.locator("h1").count()).toBe(1);
        await page.waitForFunction("[...document.images].every((image) => image.complete && image.naturalWidth > 0)");
        expect(await overflow(window)).toBeLessThanOrEqual(0);
        expect(await page.locator("body").innerText()).not.toContain("{{");
        expect([...window.hosts]).toEqual([new URL(url).hostname]);
        expect(window.complaints).toEqual([]);
        await page.context().close();
      }
    },
  );

  test("content is text, whatever it looks like, and long words do not widen a phone", async () => {
    const attack = `<script>alert(1)</script><img src=x onerror="alert(2)">"' ${"wide".repeat(200)}`;
    const content = { "hero.title": attack, "form.email.placeholder": attack, "hero.image.alt": attack };
    const { url } = await stage.publish("tpl-hero", "attack", { ...content, "hero.cta.url": "javascript:alert(3)" });
    const window = await stage.open(url, { viewport: phone });
    expect(await window.page.locator("h1").innerText()).toBe(attack);
    expect(await window.page.getByLabel("E-mail").getAttribute("placeholder")).toBe(attack);
    await window.page.getByText("Choose yours").click();
    expect(await overflow(window)).toBeLessThanOrEqual(0);
    expect(window.complaints).toEqual([]);
  });

  thorough("a change is seen once the page is published again", async () => {
    const { id, url } = await stage.publish("tpl-thankyou", "change", { "hero.title": "Before" });
    const { page } = await stage.open(url);
    await stage.call("PATCH", "/pages/content", { page_id: id, updates: { "hero.title": "After\nthat 🎉" } });
    await page.reload();
    expect(await page.locator("h1").innerText()).toBe("Before");
    const { site_id } = await stage.call("GET", `/pages/${id}`);
    await stage.call("POST", "/pages/publish", { page_id: id, site_id, slug: "change" });
    await page.reload();
    expect(await page.locator("h1").innerText()).toBe("After\nthat 🎉");
  });
});

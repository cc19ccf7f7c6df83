import { expect, test } from "vitest";
import { describeInBrowser, phone, receiver } from "./support.ts";
import { thorough } from "../suite/parts.ts";

interface Lead {
  id: string;
  type: string;
  email: string;
  name: string;
  form_name?: string;
  page_id: string;
  is_completed?: boolean;
  fields: Record<string, string>;
  [field: string]: unknown;
}

describeInBrowser("a visitor in a funnel", (stage) => {
  test("goes from the story to the form; the lead arrives by API and by hook", async () => {
    const hooks = await receiver();
    await stage.call("POST", "/hooks", { target_url: hooks.url, event_type: "form_lead.created" });
    const story = await stage.publish("tpl-presell", "story");
    const offer = await stage.publish("tpl-hero", "offer");
    const thanks = await stage.publish("tpl-thankyou", "thanks");
    const pages = [story, offer, thanks].map(({ id }) => ({ pageId: id, pageType: "presell" }));
    await stage.call("POST", "/funnels", { name: "Spring", pages });

    const { page, complaints } = await stage.open(story.url);
    await page.getByRole("link", { name: "Show me the box" }).click();
    await page.waitForURL(offer.url);
    await page.getByRole("link", { name: "Choose yours" }).click();
    await page.getByLabel("Your name").fill("Ada <King> Löwe");
    await page.getByLabel("E-mail").fill("ada@mail.example");
    await page.getByRole("button", { name: "Get early access" }).click();
    if (page.url() !== thanks.url) {
      expect(await page.getByRole("status").innerText()).toContain("Your invitation is on its way");
      await page.getByRole("link", { name: "Continue" }).click();
    }
    await page.waitForURL(thanks.url);
    expect(await page.locator("h1").innerText()).toContain("Thank you");
    expect(complaints).toEqual([]);

    const leads = await stage.call<Lead[]>("GET", "/search/leads?email=ada%40mail.example");
    expect(leads).toMatchObject([
      { type: "form", name: "Ada <King> Löwe", form_name: "Early access", page_id: offer.id },
    ]);
    await stage.emulator.idle();
    hooks.close();
    expect(hooks.received).toMatchObject([{ event_type: "form_lead.created" }]);
    expect(JSON.stringify(hooks.received)).toContain("ada@mail.example");
  });

  thorough("sends a form without JavaScript, and sees the thank-you", async () => {
    const { id, url } = await stage.publish("tpl-lead-magnet", "guide");
    const { page } = await stage.open(url, { javaScriptEnabled: false, viewport: phone });
    await page.getByLabel("Where shall we send it?").fill("no-script@mail.example");
    await page.getByRole("button", { name: "Send me the guide" }).click();
    expect(await page.getByRole("status").innerText()).toContain("It is yours!");
    const leads = await stage.call<Lead[]>("GET", `/search/leads?page_id=${id}`);
    expect(leads).toMatchObject([{ email: "no-script@mail.example", fields: { email: "no-script@mail.example" } }]);
    expect(leads[0]?.fields).not.toHaveProperty("consent");
  });

  thorough("is told about a missing address before anything is sent", async () => {
    const { id, url } = await stage.publish("tpl-webinar", "webinar");
    const { page } = await stage.open(url);
    await page.getByRole("button", { name: "Register for free" }).click();
    expect(await page.locator(":focus").getAttribute("name")).toBe("first_name");
    expect(await stage.call<Lead[]>("GET", `/search/leads?page_id=${id}`)).toEqual([]);
  });
});

describeInBrowser("a visitor in a quiz", (stage) => {
  thorough("answers step by step, back and forth, and the answers arrive", async () => {
    const { url } = await stage.publish("tpl-quiz-plan", "quiz");
    const { page, complaints } = await stage.open(url, { viewport: phone });
    const first = page.getByText("How much time do you have");
    const second = page.getByText("Who do you plan for?");
    expect(await second.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Next" }).click();
    expect(await second.isVisible()).toBe(false);
    await page.getByText("Half an hour").click();
    await second.waitFor({ state: "visible" });
    await page.getByRole("button", { name: "Back" }).click();
    await first.waitFor({ state: "visible" });
    await page.getByText("Ten minutes").click();
    await page.getByText("A family").click();
    await page.getByText("Calmer evenings").click();
    await page.getByText("Nothing yet").click();
    await page.getByLabel("Your name").fill("Ada Löwe");
    await page.getByLabel("E-mail").fill("quiz@mail.example");
    await page.getByRole("button", { name: "Send me my plan" }).click();
    expect(await page.getByRole("status").innerText()).toContain("Your plan is in your inbox");
    const [lead] = await stage.call<Lead[]>("GET", "/search/leads?type=quiz&email=quiz%40mail.example");
    expect(lead).toMatchObject({ type: "quiz", is_completed: true });
    const answers = Object.values(lead ?? {}).find((value) => JSON.stringify(value).includes("Who do you plan for?"));
    expect(answers).toMatchObject({
      "How much time do you have on a weekday evening?": "Ten minutes",
      "Who do you plan for?": "A family",
    });
    expect(complaints).toEqual([]);
  });

  thorough("can use the keyboard alone", async () => {
    const { url } = await stage.publish("tpl-quiz-product", "keyboard");
    const { page } = await stage.open(url);
    await page.getByLabel("First thing in the morning").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await page.getByLabel("When it gets dark").isChecked()).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByText("What do you like most?").waitFor({ state: "visible" });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.getByText("How strong may it be?").waitFor({ state: "visible" });
  });

  thorough("sees all questions without JavaScript", async () => {
    const { id, url } = await stage.publish("tpl-quiz-product", "plain");
    const { page } = await stage.open(url, { javaScriptEnabled: false });
    for (const answer of ["After lunch", "Grass and sea", "Light"]) await page.getByText(answer).click();
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("E-mail").fill("plain@mail.example");
    await page.getByRole("button", { name: "Show me my tea" }).click();
    expect(await page.getByRole("status").innerText()).toContain("Found!");
    expect(await stage.call<Lead[]>("GET", `/search/leads?page_id=${id}`)).toMatchObject([{ is_completed: true }]);
  });
});

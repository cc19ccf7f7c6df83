import { request } from "node:http";
import { expect, test } from "vitest";
import type { Emulator } from "../../emulator/index.ts";
import { create, type Json, offerPage, ok, receiver, start } from "./helpers.ts";

type Visit = { status: number; text: string };

/** Visits a URL as a browser does, which takes every *.localhost for this machine. */
function visit(url: string, form?: Record<string, string>): Promise<Visit> {
  const { host, port, pathname } = new URL(url);
  const method = form === undefined ? "GET" : "POST";
  const headers = { Host: host, "Content-Type": "application/x-www-form-urlencoded", Connection: "close" };
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port, path: pathname, method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on("error", reject);
    call.end(form && new URLSearchParams(form).toString());
  });
}

async function publish(emulator: Emulator, body: { page_id: string; site_id: string; slug?: string }): Promise<string> {
  return String((await ok(emulator, "POST", "/pages/publish", body)).url);
}

test("a published page is served at its url and below /_sites", async () => {
  const emulator = await start();
  const { pageId: page_id, siteId: site_id } = await offerPage(emulator);
  await ok(emulator, "PATCH", "/pages/content", { page_id, updates: { "hero.title": "Hello <there>" } });
  const url = await publish(emulator, { page_id, site_id, slug: "offer" });
  expect(url).toBe(`http://spring-example.localhost:${new URL(emulator.url).port}/offer`);
  expect(await ok(emulator, "GET", `/pages/${page_id}`)).toMatchObject({ url, domain: "spring-example.localhost" });
  for (const address of [url, `${url}/`, `${emulator.url}/_sites/spring-example/offer`]) {
    const { status, text } = await visit(address);
    expect([address, status, text.includes("Hello &lt;there&gt;")]).toEqual([address, 200, true]);
  }
});

test("an empty slug is the root, and a slug may have parts and any letters", async () => {
  const emulator = await start();
  const { pageId, siteId: site_id } = await offerPage(emulator);
  const root = await publish(emulator, { page_id: pageId, site_id });
  expect(new URL(root).pathname).toBe("/");
  expect((await visit(root)).status).toBe(200);
  const page_id = await create(emulator, "/pages/from-template", { template_id: "tpl-thankyou", name: "Thanks" });
  const deep = await publish(emulator, { page_id, site_id, slug: "/Läden/neu/" });
  expect(decodeURI(new URL(deep).pathname)).toBe("/läden/neu");
  expect((await visit(deep)).status).toBe(200);
});

test("what is not published is not there: drafts, other slugs, deleted pages, unknown sites", async () => {
  const emulator = await start();
  const { pageId: page_id, siteId: site_id } = await offerPage(emulator);
  const url = await publish(emulator, { page_id, site_id, slug: "offer" });
  await create(emulator, "/pages/from-template", { template_id: "tpl-hero", name: "Draft", site_id });
  const { port } = new URL(emulator.url);
  const elsewhere = [new URL("/other", url).href, new URL("/", url).href, new URL("/%E0%A4%A", url).href];
  for (const address of [...elsewhere, `http://nobody.localhost:${port}/`, `${emulator.url}/_sites/nobody/`]) {
    const { status, text } = await visit(address);
    expect([address, status, text.includes("Page not found")]).toEqual([address, 404, true]);
  }
  await ok(emulator, "DELETE", `/pages/${page_id}`);
  expect((await visit(url)).status).toBe(404);
});

test("an edit shows only after the page is published again", async () => {
  const emulator = await start();
  const { pageId: page_id, siteId: site_id } = await offerPage(emulator);
  const url = await publish(emulator, { page_id, site_id, slug: "offer" });
  await ok(emulator, "PATCH", "/pages/content", { page_id, updates: { "hero.title": "Second edition" } });
  expect((await visit(url)).text).not.toContain("Second edition");
  const { edit_url } = await ok<{ edit_url: string }>(emulator, "GET", `/pages/${page_id}`);
  expect((await visit(edit_url)).text).toContain("Second edition");
  await publish(emulator, { page_id, site_id, slug: "offer" });
  expect((await visit(url)).text).toContain("Second edition");
});

test("a form makes a lead, which fires its event", async () => {
  const hook = await receiver();
  const emulator = await start({ allowLoopbackHooks: true });
  await create(emulator, "/hooks", { target_url: hook.url, event_type: "form_lead.created" });
  const { pageId: page_id, siteId: site_id } = await offerPage(emulator);
  const url = await publish(emulator, { page_id, site_id, slug: "offer" });
  const { text } = await visit(url);
  const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1] ?? "";
  const form_id = /name="form_id" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const fields = { name: "Ada Example", email: "ada@example.com", plan: "b" };
  expect((await visit(new URL(action, url).href, { form_id, ...fields })).status).toBe(200);
  await emulator.idle();
  const [lead] = await ok<Json[]>(emulator, "GET", "/search/leads");
  expect(lead).toMatchObject({ type: "form", form_id, page_id, site_id, page_url: url });
  expect([lead?.first_name, lead?.last_name, lead?.fields]).toEqual(["Ada", "Example", fields]);
  expect(hook.received.map(({ body }) => body.lead_id)).toEqual([lead?.id]);
  expect((await visit(new URL(action, url).href, { form_id: "node_none" })).status).toBe(404);
  expect((await visit(new URL("/_submit/page_none", url).href, { form_id })).status).toBe(404);
});

test("a page that is a step leads on to the next one", async () => {
  const emulator = await start();
  const site_id = await create(emulator, "/sites", { name: "spring.example" });
  const pageId = await create(emulator, "/pages/from-template", { template_id: "tpl-presell", name: "Story" });
  const thanks = await create(emulator, "/pages/from-template", { template_id: "tpl-thankyou", name: "Thanks" });
  const url = await publish(emulator, { page_id: pageId, site_id, slug: "offer" });
  const next = await publish(emulator, { page_id: thanks, site_id, slug: "thanks" });
  expect((await visit(url)).text).not.toContain(next);
  const steps = [
    { pageId, pageType: "presell" },
    { pageId: thanks, pageType: "thankyou" },
    { url: "https://pay.example/mug", pageType: "sales" },
  ];
  await create(emulator, "/funnels", { name: "Spring", pages: steps });
  expect((await visit(url)).text).toContain(`href="${next}"`);
  const inPaths = await visit(`${emulator.url}/_sites/spring-example/offer`);
  expect(inPaths.text).toContain(`href="${emulator.url}/_sites/spring-example/thanks"`);
});

test("the page at / shows what there is and how to call the API", async () => {
  const emulator = await start({ seed: "demo" });
  await create(emulator, "/sites", { name: "<b>bold</b>" });
  const { status, text } = await visit(`${emulator.url}/`);
  expect(status).toBe(200);
  expect(text).toContain(`curl -H &quot;Authorization: Bearer ${emulator.apiKey}&quot; ${emulator.baseUrl}/me`);
  expect(text).toContain("&lt;b&gt;bold&lt;/b&gt;");
  const links = [...text.matchAll(/href="(http[^"]+)"/g)].map((match) => match[1] ?? "");
  const visits = await Promise.all(links.filter((link) => !link.endsWith("/")).map((link) => visit(link)));
  expect(visits.map((page) => page.status)).toEqual(visits.map(() => 200));
  expect(visits.length).toBeGreaterThan(3);
});

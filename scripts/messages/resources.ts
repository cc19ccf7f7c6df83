/** The messages of resources: refused inputs, and creations, updates and deletions that fail. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import handlers from "../../provider/pulumi/dynamic.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { failureOf, type Message } from "./message.ts";

const REFUSED: readonly [when: string, kind: Kind, inputs: JsonMap][] = [
  ["a misspelt property", "page", { conten: {} }],
  ["a misspelt nested property", "page", { publish: { siteId: "s", slugg: "x" } }],
  ["an unknown property", "product", { colour: "red" }],
  ["a short description", "project", { description: "short", context: "short" }],
  ["a missing description", "project", {}],
  ["template and copy", "page", { templateId: "t", duplicateOf: "p" }],
  ["a blank page attached to a site", "page", { siteId: "s" }],
  ["a slug with a space", "page", { publish: { siteId: "s", slug: "my offer" } }],
  ["a wrong type", "product", { price: "12.50" }],
  ["a bundle without items", "product", { type: "bundle" }],
  ["a step without page and address", "funnel", { steps: [{ pageType: "presell" }] }],
  ["a receiver on this machine", "hook", { eventType: "page.created", targetUrl: "https://127.0.0.1/" }],
  ["a receiver without https", "hook", { eventType: "page.created", targetUrl: "http://example.com/" }],
  ["an unknown event", "hook", { eventType: "page.deleted", targetUrl: "https://example.com/" }],
];

const PROJECT = {
  name: "Spring",
  description: "The spring launch of Example Mugs, with one offer for everybody.",
  context: "Example Mugs sells handmade mugs to people who take their coffee seriously. ".repeat(4),
};

export async function* resourceMessages(): AsyncIterable<Message> {
  for (const [when, kind, inputs] of REFUSED) {
    const { failures } = await handlers[kind].check({}, { ...inputs, __identity: `check-${when}`, __provider: "" });
    yield {
      when,
      text:
        failures.map(({ property, reason }) => (property === "" ? reason : `${property}: ${reason}`)).join("\n") ||
        "NO FAILURE",
    };
  }
  const emulator = await startEmulator();
  const home = mkdtempSync(join(tmpdir(), "landform-messages-"));
  Object.assign(process.env, {
    PULUMI_HOME: home,
    LANDFORM_BASE_URL: emulator.baseUrl,
    LANDFORM_API_KEY: emulator.apiKey,
    LANDFORM_PATIENCE_MS: "200",
    LANDFORM_TIMEOUT_MS: "2000",
  });
  const create = (kind: Kind, name: string, inputs: JsonMap) =>
    handlers[kind].create({ name, ...inputs, __identity: name.padEnd(16, "0"), __provider: "" });
  try {
    const site = await create("site", "mugs.example", {});
    const template = { templateId: "tpl-hero", publish: { siteId: site.id, slug: "offer" } };
    yield await failureOf("a content key that does not exist", () =>
      create("page", "a", { ...template, variables: { brand: "B" }, content: { "hero.titel": "Hi" } }),
    );
    yield await failureOf("a placeholder without a value", () => create("page", "b", template));
    yield await failureOf("a template that does not exist", () => create("page", "c", { templateId: "tpl-nothere" }));
    yield await failureOf("a site that may not be taken over", () => create("site", "mugs.example", { reuse: false }));
    yield await failureOf("a video that does not exist", () =>
      handlers.videoPlayer.create({ videoId: "vid_nothere", __identity: "v".repeat(16), __provider: "" }),
    );
    yield await failureOf("an adoption of nothing", () => create("page", "d", { adoptId: "page_nothere" }));
    yield await failureOf("a changed site", async () => {
      const changed = { ...site.outs, name: "other.example", __identity: "mugs.example0000", __provider: "" };
      return handlers.site.diff(site.id, site.outs, changed);
    });
    const project = await create("project", "Spring", PROJECT);
    await create("page", "e", { projectId: project.id });
    yield await failureOf("a project in use", () => handlers.project.delete(project.id, project.outs));
    emulator.faults.add({ phase: "before", method: "POST", path: "/products", times: Infinity });
    yield await failureOf("a lost creation", () => create("product", "mug", { price: 12.5 }));
    emulator.faults.clear();
    emulator.faults.add({ phase: "after", method: "POST", path: "/hooks", times: Infinity });
    yield await failureOf("a lost subscription", () =>
      handlers.hook.create({
        eventType: "page.created",
        targetUrl: "https://example.com/",
        __identity: "h".repeat(16),
        __provider: "",
      }),
    );
    emulator.faults.clear();
    yield* otherAccount(project);
  } finally {
    rmSync(home, { recursive: true, force: true });
    await emulator.close();
  }
}

async function* otherAccount(project: { id: string; outs: JsonMap }): AsyncIterable<Message> {
  const other = await startEmulator();
  Object.assign(process.env, { LANDFORM_BASE_URL: other.baseUrl, LANDFORM_API_KEY: other.apiKey });
  try {
    yield await failureOf("a key of another account", () => handlers.project.delete(project.id, project.outs));
  } finally {
    await other.close();
  }
}

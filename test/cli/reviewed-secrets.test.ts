/** A saved plan holds only for the secrets it was made with, also for new objects and for a secret that is taken back. */
import { beforeAll, describe, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { thorough } from "../suite/parts.ts";

const desk = NearDesk.all();

interface Code {
  readonly template?: string;
  readonly tags?: string;
  readonly receiver?: string;
}

function declare({ template = "tpl-thankyou", tags = "first", receiver = "first" }: Code): void {
  desk.declare(`landform: 1
name: reviewed
hooks: { leads: { eventType: form_lead.created, targetUrl: "https://${receiver}.example.com/in" } }
pages: { thanks: { template: ${template}, tags: [${tags}], variables: { brand: B, support_email: a@b.example }, content: { hero.title: { env: TITLE, secret: true } } } }
`);
}

const title = (text: string) => ({ env: { TITLE: text } });

async function settled(code: Code, text: string): Promise<void> {
  declare(code);
  const up = await desk.run(["up", "--yes", "--engine", "embedded"], title(text));
  expect([up.code, up.stderr]).toEqual([0, ""]);
}

async function refused(reviewed: Code, [planned, now]: [string, string], today: Code): Promise<void> {
  declare(reviewed);
  expect((await desk.run(["preview", "--save", "plan.json"], title(planned))).code).toBe(0);
  desk.emulator.requests.length = 0;
  declare(today);
  const up = await desk.run(["up", "--plan", "plan.json"], title(now));
  expect([up.code, up.stderr]).toEqual([3, expect.stringContaining("secret")]);
  const writes = desk.emulator.requests.filter(({ method }) => method !== "GET");
  expect(writes).toEqual([]);
  for (const text of [planned, now]) expect(up.stdout + up.stderr + desk.read("plan.json")).not.toContain(text);
}

describe("another secret than the one that was reviewed is refused", () => {
  beforeAll(() => settled({}, "canary-one"));

  test("of a hook, which every change makes anew", () =>
    refused({ receiver: "canary-four" }, ["canary-one", "canary-one"], { receiver: "canary-five" }));

  thorough("that is what it was, beside another change", () =>
    refused({ tags: "second" }, ["canary-two", "canary-one"], { tags: "second" }),
  );

  thorough("and the one that was reviewed is applied", async () => {
    declare({ template: "tpl-webinar", receiver: "canary-four" });
    expect((await desk.run(["preview", "--save", "plan.json"], title("canary-two"))).code).toBe(0);
    const up = await desk.run(["up", "--plan", "plan.json"], title("canary-two"));
    expect([up.code, up.stderr]).toEqual([0, ""]);
    expect((await desk.run(["preview", "--detailed-exitcode"], title("canary-two"))).code).toBe(0);
  });
});

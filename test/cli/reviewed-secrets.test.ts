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

const title = (TITLE: string): void => void Object.assign(desk.also, { env: { TITLE } });

async function settled(code: Code, text: string): Promise<void> {
  declare(code);
  title(text);
  await desk.clean("up", "--yes");
}

async function refused(reviewed: Code, [planned, now]: [string, string], today: Code): Promise<void> {
  declare(reviewed);
  title(planned);
  await desk.plan("--save", "plan.json");
  declare(today);
  title(now);
  const told = await desk.sendsNothing(3, "up", "--plan", "plan.json");
  expect(told).toContain("secret");
  for (const text of [planned, now]) expect(told + desk.read("plan.json")).not.toContain(text);
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
    title("canary-two");
    await desk.plan("--save", "plan.json");
    await desk.clean("up", "--plan", "plan.json");
    await desk.plansNothing();
  });
});

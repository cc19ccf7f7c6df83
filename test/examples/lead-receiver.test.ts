/** The receiver of examples/lead-receiver gets the emulator's deliveries. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { call, create, offerPage, ok, start } from "../emulator/helpers.ts";
import { repository } from "./folders.ts";

test("a lead and a publication arrive once each; an orphan's token is refused", async () => {
  const emulator = await start({ allowLoopbackHooks: true });
  const receiver = spawn(process.execPath, ["receiver.ts"], {
    cwd: join(repository, "examples/lead-receiver"),
    env: { ...process.env, LANDFORM_TOKENS: "first,second", PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void receiver.kill());
  const lines: string[] = [];
  const output = createInterface(receiver.stdout).on("line", (line) => lines.push(line));
  await once(output, "line");
  const port = /port (\d+)/.exec(lines[0] ?? "")?.[1] ?? "";
  const url = (token: string): string => `http://127.0.0.1:${port}/landform?landform_token=${token}`;
  await create(emulator, "/hooks", { event_type: "form_lead.created", target_url: url("first") });
  await create(emulator, "/hooks", { event_type: "page.published", target_url: url("second") });
  await create(emulator, "/hooks", { event_type: "form_lead.created", target_url: url("orphan") });

  const { pageId, siteId } = await offerPage(emulator);
  const variables = { brand: "Example Mugs" };
  await ok(emulator, "POST", "/pages/replace-variables", { page_id: pageId, variables });
  await ok(emulator, "POST", "/pages/publish", { page_id: pageId, site_id: siteId, slug: "offer" });
  emulator.submitForm(pageId, { email: "ada@example.com" });
  await emulator.idle();

  const statuses = emulator.deliveries.map(({ eventType, status }) => `${eventType} ${status ?? "none"}`);
  expect(statuses.filter((text) => text.endsWith("200")).sort()).toEqual([
    "form_lead.created 200",
    "page.published 200",
  ]);
  expect(statuses).toContain("form_lead.created 403");
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  expect(lines.join("\n")).toContain("ada@example.com asks for the guide");

  const { body } = await call<Record<string, unknown>[]>(emulator, "GET", "/hooks/sample/form_lead.created");
  const again = JSON.stringify(body[0]);
  const post = async () => (await fetch(url("first"), { method: "POST", body: again })).json();
  expect([await post(), await post()]).toEqual([{ message: "handled" }, { message: "handled before" }]);
});

/** The emulator's reference: its command, its helpers for tests, and each thing that the specification leaves open. */
import { notShownDefaults, scopes } from "../../../emulator/index.ts";
import { code, page, table } from "./markdown.ts";
import { membersOf } from "./interfaces.ts";

const INTRODUCTION = `# The emulator

\`landform emulator\` runs the service on this machine: every operation, scope, limit and error of its description, pages that are
really served, forms that make leads, hooks that are delivered. [Its options](commands.md#landform-emulator) are those of the
command; [faults on purpose](faults.md) have a page of their own.

\`\`\`sh
npx landform emulator --seed demo                      # an account with a small example of everything
npx landform emulator --scopes pages:read,sites:read   # prints a key that may do no more than that
npx landform emulator --plan free                      # an account that can't create projects
npx landform emulator --data account.db --port 4010    # kept in a file, at the same address each time
\`\`\`

In tests it runs in the process of the test:

\`\`\`ts
import { startEmulator } from "landform/emulator";

const emulator = await startEmulator({ seed: "demo", notShown: { createdStatus: 200, listLagMs: 500 } });
process.env.LANDFORM_BASE_URL = emulator.baseUrl;
process.env.LANDFORM_API_KEY = emulator.createKey({ scopes: ["pages:read", "pages:write"] });
// ... what is to be tested ...
emulator.requests.filter(({ method }) => method !== "GET");
await emulator.close();
\`\`\``;

export function emulatorPage(): string {
  return page(
    INTRODUCTION,
    "## Options of startEmulator",
    members("emulator/server.ts", "EmulatorOptions"),
    "## What it gives",
    members("emulator/server.ts", "Emulator"),
    `\`createKey\` takes:`,
    members("emulator/http/auth.ts", "KeyOptions"),
    `Scopes: ${scopes.map(code).join(", ")}.`,
    "A call in `requests`:",
    members("emulator/http/api.ts", "RequestRecord"),
    "A delivery in `deliveries`:",
    members("emulator/visitors/deliver.ts", "Delivery"),
    "## What the specification leaves open",
    "Each is a switch of `notShown`, and may be changed while the emulator runs. A program that works with every position works with the real service.",
    switches(),
  );
}

function members(path: string, name: string): string {
  const rows = membersOf(path, name).map((member) => [code(member.name), code(member.type), member.doc]);
  return table(["Name", "Type", "Meaning"], rows);
}

function switches(): string {
  const defaults: Readonly<Record<string, unknown>> = { ...notShownDefaults };
  const rows = membersOf("emulator/not-shown.ts", "NotShown").map(({ name, type, doc }) => [
    code(name),
    code(type),
    code(JSON.stringify(defaults[name])),
    doc,
  ]);
  return table(["Switch", "Type", "Default", "Meaning"], rows);
}

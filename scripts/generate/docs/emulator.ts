/** Generates the emulator's reference: its command, its helpers for tests, and each gap of the specification. */
import { notShownDefaults } from "../../../emulator/index.ts";
import { code, item, page } from "./markdown.ts";
import { membersOf } from "./interfaces.ts";

const INTRODUCTION = `# The emulator

\`landform emulator\` runs the service on this machine. It has every operation, scope, limit and error of the specification. It serves pages, makes
leads from forms, and delivers hooks. It can also [fail on purpose](faults.md).

\`\`\`sh
npx landform emulator --seed demo                      # an account with a small example of everything
npx landform emulator --data account.db --port 4010    # keeps the account in a file, at a fixed address
\`\`\`

[Commands](commands.md#landform-emulator) lists all options.

In a test, run it in the same process:

\`\`\`ts
import { startEmulator } from "landform/emulator";

const emulator = await startEmulator({ seed: "demo", notShown: { createdStatus: 200, listLagMs: 500 } });
process.env.LANDFORM_BASE_URL = emulator.baseUrl;
process.env.LANDFORM_API_KEY = emulator.createKey({ scopes: ["pages:read", "pages:write"] });
// ... your test ...
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
    "## What the specification leaves open",
    "Each of these is a switch of `notShown`, with its default. You may change it while the emulator runs. Landform works with every value. A switch without a type has the type of its default.",
    switches(),
  );
}

function members(path: string, name: string): string {
  return membersOf(path, name)
    .map((member) => item(member.name, [code(member.type)], member.doc))
    .join("\n");
}

const PLAIN = new Set(["number", "boolean", "string"]);

function switches(): string {
  const defaults: Readonly<Record<string, unknown>> = { ...notShownDefaults };
  return membersOf("emulator/not-shown.ts", "NotShown")
    .map(({ name, type, doc }) =>
      item(name, [PLAIN.has(type) ? "" : code(type), code(JSON.stringify(defaults[name]))], doc),
    )
    .join("\n");
}

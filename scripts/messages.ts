/**
 * Prints the messages of the product, so that a person can read all of them. An emulator or a wrong input provokes each one. Run `npm run build`
 * first; `node scripts/messages.ts manifest` prints one part.
 */
import { commandMessages } from "./messages/commands.ts";
import { manifestMessages } from "./messages/manifest.ts";
import type { Message } from "./messages/message.ts";
import { programMessages } from "./messages/programs.ts";
import { resourceMessages } from "./messages/resources.ts";
import { serviceMessages } from "./messages/service.ts";

const parts: Record<string, () => AsyncIterable<Message>> = {
  service: serviceMessages,
  resources: resourceMessages,
  manifest: manifestMessages,
  programs: programMessages,
  commands: commandMessages,
};

const wanted = process.argv.slice(2);
for (const [name, messages] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n# ${name}`);
  for await (const { when, text } of messages()) console.log(`\n${when}\n  ${text.trim().replaceAll("\n", "\n  ")}`);
}

/** Only cli/output sends texts of the account to a terminal or a CI's runner, and it shows their control characters. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Code that writes by itself, with the reason why no text of the account can act there. */
const ALLOWED: Readonly<Record<string, string>> = {
  "cli/main.ts": "says that Node is too old, before anything is loaded",
  "cli/commands/copy.ts": "a table for a file; a terminal gets it through print",
  "cli/commands/redirects.ts": "rules for a server, of checked addresses",
  "cli/commands/config.ts": "a setting that the user wrote",
  "cli/commands/completion.ts": "a script of the command line's own",
  "cli/commands/output.ts": "for a script, which gets the value as it is; a terminal gets it through print",
  "cli/commands/stack.ts": "the state, for a file or a pipe",
};

test("no command prints past cli/output", () => {
  const files = globSync("cli/**/*.ts").map((file) => file.replaceAll("\\", "/"));
  const printing = files.filter(
    (file) =>
      !file.startsWith("cli/output/") && /console\.\w+\(|process\.stdout\.write\(/.test(readFileSync(file, "utf8")),
  );
  expect(printing.filter((file) => !Object.hasOwn(ALLOWED, file))).toEqual([]);
});

/** The commands that bring an environment up or take it down, in a CI or elsewhere: their options and their hands. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { SLUG_STYLES } from "../provider/definition/in-preview.ts";
import type { Hands } from "../stack/env/types.ts";
import { carryOut } from "./carry-out.ts";
import { showEnvironment } from "./desk.ts";
import { foreignEditsOption, positive } from "./options.ts";
import type { Output } from "./output/terminal.ts";

export function environmentOptions(command: Command): Command {
  return command
    .option("--base <stack>", "stack that the environment is a preview of (default: the only one that is no preview)")
    .option("--site <site>", "id or name of the site for its pages (default: the base's)")
    .option("--project <project>", "id or name of the project for its pages (default: the base's)")
    .addOption(
      new Option(
        "--slug-style <style>",
        "addresses of its pages: path makes pr-12-…/offer, dash makes pr-12-…-offer (default: as in its last run, else path)",
      ).choices(SLUG_STYLES),
    )
    .option("--hooks", "make webhooks too; a target that the base has gets each event twice")
    .option("--drafts", "publish nothing; people open its pages in the builder")
    .option("--seed", "start from copies of the base's live pages")
    .option("--ttl <days>", "days after the last push until it expires (default: 14)", days)
    .option("--max-live <n>", "refuse to make more than N environments", positive)
    .option("--refresh", "read the account first, and make deleted objects again")
    .addOption(foreignEditsOption());
}

export function handsOf(output: Output): Hands {
  return {
    teller: output,
    showUp: ({ advised }, up) => showEnvironment(output, advised, up),
    carryOut: (session, intent) => {
      const name = session.folder.stack;
      const question = intent.kind === "env up" ? `Bring up ${name}?` : `Take ${name} down?`;
      return carryOut({ session, output }, intent, { question });
    },
  };
}

function days(text: string): number {
  const number = Number(text.replace(/d$/, ""));
  // Beyond a hundred years no calendar helps.
  if (!(number > 0 && number <= 36_500))
    throw new InvalidArgumentError("It has to be a number of days, such as 14, and no more than 36500.");
  return number;
}

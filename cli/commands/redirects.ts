/** `landform redirects`: writes redirects for addresses that pages of a stack have left. The API has no redirects. */
import { reasonOf } from "../../provider/values/wording.ts";
import { Option, type Command } from "commander";
import { publicAddress } from "../../provider/values/addresses.ts";
import { registry } from "../../provider/kinds/registry.ts";
import type { LandformApi } from "../../provider/api/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { PropertyMap } from "../../engine/index.ts";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { markedResources, recordsIn } from "../../stack/engines/recorded.ts";
import { domainsOf, movesIn } from "../../stack/redirects.ts";
import { engineOption, exiting, stackOptions } from "../options.ts";
import type { StateOptions, StackOptions } from "../../stack/options.ts";
import { printError } from "../../story/print.ts";
import { withAccount } from "../../stack/settings/settings.ts";
import { openProject } from "../../stack/project/open.ts";
import { FORMATS, renderRedirects, type Format } from "../../story/redirects.ts";
import { requireStack, withStacks } from "../../stack/stacks/stacks.ts";

interface RedirectsOptions extends StateOptions {
  format: Format;
}

export function addRedirects(program: Command): void {
  engineOption(stackOptions(program.command("redirects")))
    .description("write redirects for the former addresses of the stack's pages, for a web server")
    .addOption(new Option("--format <format>", "format of the redirects").choices(FORMATS).default("csv"))
    .action(exiting(redirects));
}

async function redirects(options: RedirectsOptions): Promise<ExitCode> {
  const { C, stack, engine, format } = options;
  const folder = await openProject(C);
  const resources = await withStacks(engine, folder, async (stacks) => {
    const exported = await stacks.export(await requireStack(stacks, folder, stack), { showSecrets: true });
    return recordsIn(markedResources(exported));
  });
  const shown = await askAccount(options);
  const recorded = resources.map(({ id = "", outputs = {} }) => [id, outputs] as const);
  const { redirects: moved, taken } = movesIn(resources, shown.addresses, domainsOf([...recorded, ...shown.all]));
  process.stdout.write(renderRedirects(moved, format));
  if (taken.length > 0) printError(`left out, since another page is there now: ${taken.join(", ")}`);
  if (moved.length === 0) printError(`No address of ${folder.project.name}/${stack} has moved.`);
  return exitCodes.done;
}

interface Shown {
  addresses: Map<string, string>;
  all: (readonly [string, PropertyMap])[];
}

/** Asks for all public addresses. An address that is in use again must not be redirected. */
async function askAccount(options: StackOptions): Promise<Shown> {
  const shown: Shown = { addresses: new Map(), all: [] };
  try {
    await withAccount(options, ({ api }) => readAll(api, shown));
  } catch (error) {
    const why = reasonOf(error);
    printError(
      `The account could not be asked which addresses are in use again, so this is what the state knows: ${why}`,
    );
    return { addresses: new Map(), all: [] };
  }
  return shown;
}

async function readAll(api: LandformApi, { addresses, all }: Shown): Promise<void> {
  const definitions = Object.values<AnyDefinition>(registry);
  const isPlace = ({ outputs, public: how }: AnyDefinition) => how === "address" || "customDomain" in outputs.shape;
  const lists = new Map(definitions.filter(isPlace).flatMap((one) => (one.collection ? [[one.collection, one]] : [])));
  for (const [collection, definition] of lists) {
    for await (const row of collection.all(api, {})) {
      const answer = definition.shown.answerOf(row);
      const url = publicAddress(answer);
      if (url !== undefined) addresses.set(row.id, url);
      all.push([row.id, answer]);
    }
  }
}

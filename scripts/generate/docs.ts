/** Generates the reference in docs/reference from the registry, the manifest's forms, the lookups' types and the commands. */
import { commandsPage } from "./docs/commands.ts";
import { emulatorPage } from "./docs/emulator.ts";
import { faultsPage } from "./docs/faults.ts";
import { limitsPage } from "./docs/limits.ts";
import { lintPage } from "./docs/lint.ts";
import { lookupsPage } from "./docs/lookups.ts";
import { manifestPage } from "./docs/manifest.ts";
import { resourcesPage } from "./docs/resources.ts";

export async function referencePages(): Promise<{ path: string; text: string }[]> {
  const pages = {
    resources: resourcesPage(),
    lookups: lookupsPage(),
    manifest: manifestPage(),
    commands: await commandsPage(),
    emulator: emulatorPage(),
    faults: faultsPage(),
    limits: limitsPage(),
    lint: lintPage(),
  };
  return Object.entries(pages).map(([name, text]) => ({ path: `docs/reference/${name}.md`, text }));
}

/** The reference in docs/reference: from the registry, the manifest's forms, the lookups' types and the commands. */
import { commandsPage } from "./docs/commands.ts";
import { faultsPage } from "./docs/faults.ts";
import { lookupsPage } from "./docs/lookups.ts";
import { manifestPage } from "./docs/manifest.ts";
import { resourcesPage } from "./docs/resources.ts";

export async function referencePages(): Promise<{ path: string; text: string }[]> {
  const pages = {
    resources: resourcesPage(),
    lookups: lookupsPage(),
    manifest: manifestPage(),
    commands: await commandsPage(),
    faults: faultsPage(),
  };
  return Object.entries(pages).map(([name, text]) => ({ path: `docs/reference/${name}.md`, text }));
}

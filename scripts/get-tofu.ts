// Prints the paths of OpenTofu and of its provider for REST services, for the benchmark's comparison: from the cache, else built from their Go
// modules. The builds take minutes, once a machine. If one fails, the script gives the reason, prints no path for it and still succeeds. The
// benchmark then lists OpenTofu as left out.
//
//   npm run get-tofu                find them or build them
//   LANDFORM_CACHE=DIR              where they are kept (default: XDG_CACHE_HOME/landform, ~/.cache/landform)
import { join } from "node:path";
import { buildGoTool, cacheFolder, firstExecutable, reason, type GoTool } from "./go-tools.ts";

// The newest versions that proxies serve (2026-11).
const tofu: GoTool = {
  ...tool("github.com/opentofu/opentofu/cmd/tofu", "v1.10.10", "tofu"),
  replaces: ["github.com/hashicorp/hcl/v2=github.com/opentofu/hcl/v2@v2.20.2-0.20251021132045-587d123c2828"],
};
const restProvider = tool("github.com/Mastercard/terraform-provider-restapi", "v1.20.0", "terraform-provider-restapi");

export interface Tofu {
  readonly program: string;
  /** The folder of the provider, for dev_overrides. */
  readonly provider: string;
  readonly versions: string;
}

function tool(command: string, version: string, name: string): GoTool {
  const executable = process.platform === "win32" ? `${name}.exe` : name;
  return { command, version, target: join(cacheFolder(), name, version, executable) };
}

/** Returns both programs of this machine, without building them. */
export function findTofu(): Tofu | undefined {
  const [program, provider] = [tofu, restProvider].map(({ target }) => firstExecutable([target]));
  if (program === undefined || provider === undefined) return undefined;
  const versions = `OpenTofu ${tofu.version.slice(1)}, restapi ${restProvider.version.slice(1)}`;
  return { program, provider: join(provider, ".."), versions };
}

if (import.meta.main) {
  for (const wanted of [tofu, restProvider]) {
    if (firstExecutable([wanted.target]) === undefined) {
      console.error(`Building ${wanted.command} ${wanted.version} into ${wanted.target} (some minutes, once).`);
      try {
        await buildGoTool(wanted);
      } catch (error) {
        console.error(`Not built: ${reason(error)}\nThe benchmark will leave OpenTofu out.`);
        continue;
      }
    }
    console.log(wanted.target);
  }
}

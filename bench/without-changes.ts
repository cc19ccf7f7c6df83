/** Compares a run without changes with the floor, in ratios. The runs alternate, so that a busy moment falls on all of them. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "../emulator/index.ts";
import type { AccountSize } from "./account.ts";
import { findPulumi } from "../scripts/get-pulumi.ts";
import { landform, median, node, run, type Place, type Took } from "./command.ts";
import { barePeer, type Peer } from "./peer-tools.ts";
import { type Form, makeProject } from "./project.ts";

const ENGINE = fileURLToPath(new URL("floor-engine.mjs", import.meta.url));

export const FLOOR = "floor: bare resources, the SDK as it is, an engine that answers at once";
/** The floor with the lighter SDK in programs (engine/sdk/rewrites.ts). */
const LOWER_FLOOR = "the same, with what programs do less here";
/** Present only if this machine has Pulumi. */
export const BARE_ON_PULUMI = "preview, bare resources, Pulumi's engine";

export interface WithoutChanges {
  readonly pages: number;
  readonly rounds: number;
  /** Medians. */
  readonly took: Readonly<Record<string, Took>>;
}

export async function measureWithoutChanges(pages: number, rounds: number): Promise<WithoutChanges> {
  const size: AccountSize = { pages };
  const [manifest, program, bare] = [await open("manifest", size), await open("program", size), await openBare(pages)];
  const pulumi = await openBareOnPulumi(size);
  const embedded = ["-s", "dev", "--engine", "embedded"];
  const commands: Readonly<Record<string, () => Promise<Took>>> = {
    [FLOOR]: () => node(bare, ENGINE, "--sdk-as-it-is"),
    [LOWER_FLOOR]: () => node(bare, ENGINE),
    "preview, program": () => landform(program, "preview", ...embedded),
    "up, program": () => landform(program, "up", "--yes", ...embedded),
    "preview, landform.yaml": () => landform(manifest, "preview", ...embedded),
    "up, landform.yaml": () => landform(manifest, "up", "--yes", ...embedded),
    ...(pulumi !== undefined && { [BARE_ON_PULUMI]: () => pulumi.take("preview without changes") }),
  };
  try {
    await pulumi?.take("up from empty");
    for (const place of [manifest, program]) await landform(place, "up", "--yes", ...embedded);
    const took = new Map(Object.keys(commands).map((title): [string, Took[]] => [title, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [title, take] of Object.entries(commands)) {
        const used = await take();
        took.get(title)?.push(used);
        console.log(title, used.seconds.toFixed(2), used.cpuSeconds.toFixed(2));
      }
    }
    return { pages, rounds, took: Object.fromEntries([...took].map(([title, runs]) => [title, median(runs)])) };
  } finally {
    for (const { folder, emulator } of [manifest, program, bare, ...(pulumi === undefined ? [] : [pulumi.place])]) {
      rmSync(folder, { recursive: true, force: true });
      await emulator.close();
    }
  }
}

async function open(form: Form, size: AccountSize): Promise<Place> {
  const env = { ...process.env, PULUMI_CONFIG_PASSPHRASE: "" };
  return { folder: makeProject(form, size), emulator: await startEmulator(), env };
}

/** Opens as many resources with as many inputs, which no service has. */
async function openBare(pages: number): Promise<Place> {
  const place = await open("program", { pages });
  const text = `import { CustomResource } from "@pulumi/pulumi";
for (let index = 0; index < ${pages + 17}; index++)
  new CustomResource("bench:index:Bare", "bare-" + index, { name: "Bare " + index, projectId: "p", templateId: "t", content: { title: "Hello" }, publish: { siteId: "s", slug: "p-" + index } });
`;
  writeFileSync(join(place.folder, "index.js"), text);
  return place;
}

interface OnPulumi {
  readonly place: Place;
  take(step: keyof Peer["steps"]): Promise<Took>;
}

/** Opens as many resources with the inputs of the account, on Pulumi's own engine, with a provider that does nothing. */
async function openBareOnPulumi(size: AccountSize): Promise<OnPulumi | undefined> {
  const pulumi = findPulumi();
  if (pulumi === undefined) return undefined;
  const peer = barePeer(pulumi);
  const [folder, emulator] = [await peer.make(size), await startEmulator()];
  // Without this, the up, which isn't measured, would write its state a thousand times.
  const place = { folder, emulator, env: { ...peer.env({ folder, emulator }), PULUMI_SKIP_CHECKPOINTS: "true" } };
  return { place, take: (step) => run(place, peer.program, peer.steps[step] ?? []) };
}

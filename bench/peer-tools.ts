/** The tools that landform is compared with, each used as its users do: the arguments of each step, and the place of its state. */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findPulumi } from "../scripts/get-pulumi.ts";
import { findTofu, type Tofu } from "../scripts/get-tofu.ts";
import { writePlugin } from "../test/pulumi/real.ts";
import { manifestOf, programOf, type AccountSize, type Edit } from "./account.ts";
import { MAIN, type Place } from "./command.ts";
import { type Form, makeProject, writeProject } from "./project.ts";

export const PEER_STEPS = [
  "preview from empty",
  "up from empty",
  "preview without changes",
  "up without changes",
  "refresh",
  "drift of 1 %",
  "up of one content key",
  "export",
  "destroy",
] as const;
export type PeerStep = (typeof PEER_STEPS)[number];

export interface Peer {
  readonly title: string;
  readonly program: string;
  /** The arguments of each step that it has. */
  readonly steps: Readonly<Partial<Record<PeerStep, readonly string[]>>>;
  /** The state's path in its folder. */
  readonly state: string;
  /** Makes a folder with the account in the tool's own form. */
  make(size: AccountSize): Promise<string>;
  declare(folder: string, size: AccountSize, edit: Edit): void;
  env(place: Pick<Place, "folder" | "emulator">): NodeJS.ProcessEnv;
}

export const EMBEDDED_MANIFEST = "landform, landform.yaml, embedded engine";
export const EMBEDDED_PROGRAM = "landform, program, embedded engine";
export const PROGRAM_ON_PULUMI = "landform, program, Pulumi's engine";
export const PLAIN_PULUMI = "pulumi, the same program";
export const BARE = "pulumi, bare resources";

const PLAIN = fileURLToPath(new URL("plain-pulumi.ts", import.meta.url));
const PEERS = fileURLToPath(new URL("peers/", import.meta.url));
const NODE_MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));

/** Returns the tools of this machine, and the names of the others with the reason. `forPulumi`: those that tell what landform adds to Pulumi. */
export function findPeers(forPulumi: boolean): {
  readonly peers: readonly Peer[];
  readonly leftOut: readonly string[];
} {
  const [pulumi, tofu] = [findPulumi(), findTofu()];
  const onPulumi = pulumi === undefined ? [] : peersOnPulumi(pulumi);
  const program = landformPeer(EMBEDDED_PROGRAM, "program");
  if (forPulumi) return { peers: [program, ...onPulumi], leftOut: [] };
  return {
    peers: [...embeddedPeers(), ...onPulumi, ...(tofu === undefined ? [] : [tofuPeer(tofu)])],
    leftOut: [
      ...(pulumi === undefined ? ["all that needs Pulumi (`npm run get-pulumi` finds or builds none)"] : []),
      ...(tofu === undefined ? ["OpenTofu with its provider (`npm run get-tofu` finds or builds none)"] : []),
    ],
  };
}

export function embeddedPeers(): readonly Peer[] {
  return [landformPeer(EMBEDDED_MANIFEST, "manifest"), landformPeer(EMBEDDED_PROGRAM, "program")];
}

function peersOnPulumi(pulumi: string): Peer[] {
  return [
    landformPeer(PROGRAM_ON_PULUMI, "program", pulumi),
    plainPeer(PLAIN_PULUMI, pulumi, (folder, size, edit) => {
      writeFileSync(join(folder, "index.ts"), programOf(size, edit));
    }),
    barePeer(pulumi),
    plainPeer("pulumi, a hand-written provider", pulumi, (...declared) => {
      declareAccount("hand-written.ts", "index.ts", ...declared);
    }),
  ];
}

function landformPeer(title: string, form: Form, pulumi?: string): Peer {
  const command = (...args: string[]): string[] => [MAIN, ...args, "-s", "dev"];
  const on = (...args: string[]): string[] =>
    command(...args, "--engine", pulumi === undefined ? "embedded" : "pulumi");
  return {
    title,
    program: process.execPath,
    steps: {
      "preview from empty": on("preview"),
      "up from empty": on("up", "--yes"),
      "preview without changes": on("preview"),
      "up without changes": on("up", "--yes"),
      refresh: on("refresh"),
      "drift of 1 %": on("drift"),
      "up of one content key": on("up", "--yes"),
      export: command("export", "--out", "exported"),
      destroy: on("destroy", "--yes", "--force"),
    },
    state: STATE,
    make: (size) => Promise.resolve(makeProject(form, size)),
    declare: (folder, size, edit) => writeProject(folder, form, size, edit),
    env: ({ folder }) => pulumiEnv(folder, pulumi),
  };
}

const STATE = ".pulumi/stacks/bench/dev.json";

function pulumiEnv(folder: string, pulumi: string | undefined): NodeJS.ProcessEnv {
  const folders = pulumi === undefined ? [] : [dirname(pulumi), join(folder, "plugins")];
  return {
    ...process.env,
    PATH: [...folders, process.env["PATH"] ?? ""].join(delimiter),
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

function plainPeer(title: string, pulumi: string, declare: Peer["declare"]): Peer {
  const hasHost = existsSync(join(dirname(pulumi), "pulumi-language-nodejs"));
  const on = (kind: string, ...args: string[]): string[] =>
    hasHost ? plainly(kind, ...args) : [PLAIN, pulumi, kind, ...args];
  return {
    title,
    program: hasHost ? pulumi : process.execPath,
    steps: {
      "preview from empty": on("preview"),
      "up from empty": on("up"),
      "preview without changes": on("preview"),
      "up without changes": on("up"),
      refresh: on("refresh"),
      "drift of 1 %": on("refresh", "--dry-run"),
      "up of one content key": on("up"),
      destroy: on("destroy"),
    },
    state: STATE,
    make: (size) => makePlain(pulumi, (folder) => declare(folder, size, {})),
    declare,
    env: ({ folder }) => pulumiEnv(folder, pulumi),
  };
}

/** Pulumi runs the program itself where it has its Node language host. */
function plainly(kind: string, look?: string): string[] {
  const how = kind === "preview" ? [] : look === undefined ? ["--yes", "--skip-preview"] : ["--preview-only"];
  return [kind, ...how, "--stack", "dev", "--non-interactive"];
}

/** The account has nothing of it, so nothing drifts. */
export function barePeer(pulumi: string): Peer {
  const { steps, ...peer } = plainPeer(BARE, pulumi, (...declared) => {
    declareAccount("bare.ts", "index.ts", ...declared);
  });
  const { "drift of 1 %": _, ...others } = steps;
  return { ...peer, steps: others };
}

/** Makes a project with its stack, which a Pulumi user makes once. */
async function makePlain(pulumi: string, declare: (folder: string) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "landform-bench-"));
  symlinkSync(NODE_MODULES, join(folder, "node_modules"), "junction");
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: bench\nruntime: { name: nodejs, options: { typescript: false } }\n",
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.ts" }));
  declare(folder);
  writePlugin(join(folder, "plugins"));
  const options = { cwd: folder, env: pulumiEnv(folder, pulumi) };
  await promisify(execFile)(pulumi, ["stack", "init", "dev", "--non-interactive"], options);
  return folder;
}

function declareAccount(program: string, as: string, folder: string, size: AccountSize, edit: Edit): void {
  copyFileSync(join(PEERS, program), join(folder, as));
  writeFileSync(join(folder, "account.json"), JSON.stringify(manifestOf(size, edit)));
}

function tofuPeer({ program, provider, versions }: Tofu): Peer {
  const on = (...args: string[]): string[] => [...args, "-input=false", "-no-color"];
  const declare: Peer["declare"] = (...declared) => declareAccount("main.tf", "main.tf", ...declared);
  return {
    title: versions,
    program,
    steps: {
      "preview from empty": on("plan"),
      "up from empty": on("apply", "-auto-approve"),
      "preview without changes": on("plan"),
      "up without changes": on("apply", "-auto-approve"),
      refresh: on("apply", "-refresh-only", "-auto-approve"),
      "drift of 1 %": on("plan", "-refresh-only"),
      "up of one content key": on("apply", "-auto-approve"),
      destroy: on("destroy", "-auto-approve"),
    },
    state: "terraform.tfstate",
    make: (size) => {
      const folder = mkdtempSync(join(tmpdir(), "landform-bench-"));
      const overrides = `dev_overrides {\n    "Mastercard/restapi" = "${provider}"\n  }`;
      writeFileSync(join(folder, "tofu.rc"), `provider_installation {\n  ${overrides}\n  direct {}\n}\n`);
      declare(folder, size, {});
      return Promise.resolve(folder);
    },
    declare,
    env: ({ folder, emulator }) => ({
      ...process.env,
      TF_CLI_CONFIG_FILE: join(folder, "tofu.rc"),
      TF_VAR_base_url: emulator.baseUrl,
      TF_VAR_api_key: emulator.apiKey,
    }),
  };
}

/** Finds the place where a project keeps its stacks, for both engines and for `landform state`, and the passphrase of a stack there. */
import { landform } from "../../provider/values/command-line.ts";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  configuredBackend,
  describeHolder,
  FileBackend,
  isDefaultProvider,
  isRootStack,
  type LockHolder,
  passphraseFromEnvironment,
  type PassphraseSecrets,
  projectWithoutFile,
  type SecretsProvider,
  StackConfig,
  type StackRef,
  stackSecrets,
  MissingPassphraseError,
  WrongPassphraseError,
} from "../../engine/index.ts";
import { pulumiHome } from "../../provider/ledger/place.ts";
import { UsageError } from "../exit/codes.ts";
import { lastName, type StackFolder } from "../project/open.ts";

type Folder = Pick<StackFolder, "root" | "project">;

export interface StateHome {
  readonly url: string;
  /** Undefined where the stacks are not in files. */
  readonly files?: FileBackend;
}

/** Both engines look in the same place, so that a stack of one is never made once more by the other. */
export async function stateHome(folder: Folder): Promise<StateHome> {
  const place = await placeOf(folder);
  if (/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(place)) return { url: place };
  const files = await FileBackend.open(place, folder.root);
  return { url: `file://${files.root}`, files };
}

/**
 * Finds the place: PULUMI_BACKEND_URL, `backend.url` of Pulumi.yaml, the project's own folder if a stack there has resources, the last
 * `pulumi login`, or else the project's own folder.
 */
export async function placeOf({ root, project }: Folder): Promise<string> {
  const said = process.env["PULUMI_BACKEND_URL"] || project.backendUrl;
  if (said !== undefined && said !== "") return said;
  const login = await configuredBackend(undefined, { ...process.env, PULUMI_BACKEND_URL: "" });
  return login === undefined || (await hasResources(root, project)) ? root : login;
}

async function hasResources(root: string, { name }: Folder["project"]): Promise<boolean> {
  if (!existsSync(join(root, ".pulumi", "stacks", name))) return false;
  const backend = await FileBackend.open(root);
  for (const ref of await backend.list(name)) if ((await madeIn(backend, ref)) > 0) return true;
  return false;
}

async function madeIn(backend: FileBackend, ref: StackRef): Promise<number> {
  const { resources = [] } = await backend.readStored(ref);
  return resources.filter(({ urn }) => !isRootStack(urn) && !isDefaultProvider(urn)).length;
}

/** Opens the place for the embedded engine, which reads and writes folders only. */
export async function openBackend(folder: Folder): Promise<FileBackend> {
  const home = await stateHome(folder);
  if (home.files !== undefined) return home.files;
  const isSaid = home.url === (process.env["PULUMI_BACKEND_URL"] || folder.project.backendUrl);
  // It refuses the place, and names what it can't do.
  if (isSaid) return FileBackend.open(home.url, folder.root);
  throw new UsageError(
    `\`pulumi login\` points to ${shownAddress(home)}, so the stacks of ${folder.project.name} may be there, and the embedded engine reads and writes folders only. ` +
      `Nothing was sent. Install Pulumi, or set PULUMI_BACKEND_URL=file://. to keep the stacks of this project in its folder`,
  );
}

/** Tells if the place is Pulumi's own service, or one like it. */
export function isService({ url }: StateHome): boolean {
  return /^https?:/.test(url);
}

/** Returns the address without user, password and settings, so that it can be shown. */
export function shownAddress({ url }: StateHome): string {
  const { protocol, host, pathname } = URL.parse(url) ?? { protocol: url.split("?")[0], host: "", pathname: "" };
  return `${protocol}//${host}${pathname}`;
}

export function refOf({ project, stack }: Pick<StackFolder, "project" | "stack">): StackRef {
  return { project: project.name, stack };
}

/** Returns the other projects that have a stack of the same name there. */
export async function projectsWith(backend: FileBackend, ref: StackRef): Promise<string[]> {
  const all = await backend.list();
  return all.flatMap(({ project, stack }) => (stack === ref.stack && project !== ref.project ? [project] : []));
}

export function goneLockNote(holder: LockHolder): string {
  return `the lock of a run that is gone was removed (${describeHolder(holder)})`;
}

/** Tells that a stack is new. A mistyped name shows here first. */
export function newStackNote({ root }: FileBackend, { project, stack }: StackRef): string {
  return `the stack ${project}/${stack} is new; its state is kept in ${root}/.pulumi`;
}

/** Returns a note if the project's own folder has a stack of the same name, which may already have made all of this. */
export async function leftInFolder({ root, project, stack }: StackFolder, place: string): Promise<string | undefined> {
  const ref = { project: project.name, stack };
  if (!existsSync(join(root, ".pulumi", "stacks", project.name, `${stack}.json`))) return undefined;
  const made = await madeIn(await FileBackend.open(root), ref);
  if (made === 0) return undefined;
  return `${root}/.pulumi has a state of ${project.name}/${stack} with ${made} resources, and ${place} has none of them. With ${place}, up would make them all again in the same account. To take the state along: \`PULUMI_BACKEND_URL=file://${root} ${landform("state export", "--file", "state.json")}\`, then \`${landform("state import", "--file", "state.json")}\`.`;
}

/** Returns a note if `pulumi up` would work on another stack. `stack`: the one of a command that names none. */
export function selectedNote({ project: { file, name }, stack }: StackFolder, env = process.env): string | undefined {
  if (file === undefined || stack !== DEFAULT_STACK) return undefined;
  const digest = createHash("sha1").update(file).digest("hex");
  const workspace = join(pulumiHome(env), "workspaces", `${name}-${digest}-workspace.json`);
  const [, stacks = ""] = existsSync(workspace) ? (SELECTED.exec(readFileSync(workspace, "utf8")) ?? []) : [];
  const names = [...stacks.matchAll(/:\s*"([^"]+)"\s*(?:,|$)/g)].map(([, selected = ""]) => lastName(selected));
  const [other] = names;
  if (other === undefined || names.includes(stack)) return undefined;
  return `this command works on the stack ${stack}, and Pulumi has ${other} selected. To work on that one, add --stack ${other}.`;
}

/** By the address of the backend, the selected stack (3.274, 2026-11-27). */
const SELECTED = /"stacks":\s*\{([^}]*)\}/;

const DEFAULT_STACK = "dev";

export function renamedHint(other: string, stack: string): string {
  return `There is a stack ${other}/${stack}: if \`name:\` of the project was changed, put ${other} back, or take its state along with \`${landform("state export")}\` and \`import\`.`;
}

/**
 * Begins to derive the stack's key, which takes another thread a fifth of a second. It starts before the project is read, if the stack has
 * a salt beside it, and resolves when that is under way. The code that opens the secrets reports errors.
 */
export async function beginSecrets(dir: string, stack: string): Promise<void> {
  try {
    const config = await StackConfig.read(projectWithoutFile(resolve(dir), "any"), lastName(stack));
    await beginKey(config, process.env);
  } catch {
    return;
  }
}

async function beginKey(config: StackConfig, variables: NodeJS.ProcessEnv): Promise<void> {
  if (config.encryptionSalt === undefined) return;
  const env = await passphraseEnvironment(variables);
  void stackSecrets(config, env.variables).catch(() => undefined);
}

/** Opens the stack's secrets. If no passphrase is set, it takes the empty one. `begun`: the secrets that a new stack begins with. */
export async function openSecrets(
  folder: StackFolder,
  backend: FileBackend,
  variables: NodeJS.ProcessEnv = process.env,
  begun?: SecretsProvider,
): Promise<PassphraseSecrets> {
  const ref = refOf(folder);
  // The state nearly always has the same salt.
  await beginKey(folder.config, variables);
  const stored = (await backend.exists(ref)) ? (await backend.readStored(ref)).secrets_providers : begun;
  return withPassphrase(ref, variables, async (env) => {
    const secrets = await stackSecrets(folder.config, env, stored);
    if (secrets === undefined) throw new UsageError("PULUMI_CONFIG_PASSPHRASE can't be read");
    return secrets;
  });
}

/** Gives the work the empty passphrase if none is set. If another one is needed, it says that none is set. */
export async function withPassphrase<Done>(
  { project, stack }: StackRef,
  variables: NodeJS.ProcessEnv,
  work: (variables: NodeJS.ProcessEnv) => Promise<Done>,
): Promise<Done> {
  const env = await passphraseEnvironment(variables);
  try {
    return await work(env.variables);
  } catch (error) {
    if (!(error instanceof WrongPassphraseError) || env.given) throw error;
    throw new MissingPassphraseError(`the secrets of ${project}/${stack} need a passphrase, and none is set`);
  }
}

async function passphraseEnvironment(
  variables: NodeJS.ProcessEnv,
): Promise<{ given: boolean; variables: NodeJS.ProcessEnv }> {
  if ((await passphraseFromEnvironment(variables)) !== undefined) return { given: true, variables };
  return { given: false, variables: { PULUMI_CONFIG_PASSPHRASE: "" } };
}

/**
 * Resources through the handlers of the dynamic-provider host, against the emulator. `ResourceTest` plays the engine for one resource: check, diff,
 * then create, update or replace. It keeps the state as Pulumi does.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, expect, onTestFinished } from "vitest";
import { writeFacts } from "../../stack/engines/children.ts";
import { type Emulator, type EmulatorOptions, notShownDefaults, startEmulator } from "../../emulator/index.ts";
import { Events } from "../../engine/events.ts";
import type { ProviderClient } from "../../engine/link/provider-client.ts";
import type { ProviderHost } from "../../engine/link/provider-host.ts";
import { loadSdk } from "../../engine/link/sdk.ts";
import type { PropertyMap, ResourceState } from "../../engine/model/types.ts";
import type { DiffAnswer } from "../../engine/plan/types.ts";
import { identityFor } from "../../provider/ledger/identity.ts";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import { Between } from "../faults/between.ts";
import { forAllTests } from "../suite/opened.ts";
import { hostInProcess } from "../walk/in-process.ts";
import { inTheApp, liveOf } from "../suite/app.ts";

export type { ProviderClient };
export { startHost } from "../../engine/link/provider-host.ts";

export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);
export const PROJECT = { description: LONG, context: LONG };
/** A page of the template, with a value for its placeholder. */
export const HERO = { templateId: "tpl-hero", variables: { brand: "Acme" } };

/** Returns the inputs of a page with two declared texts. */
export const titled = (title: string, more: PropertyMap = {}): PropertyMap => ({
  ...HERO,
  content: { "hero.title": title, "hero.text": "What we declare of the text" },
  ...more,
});

const root = fileURLToPath(new URL("../..", import.meta.url));
const PROVIDER = "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::default";

export interface World {
  readonly emulator: Emulator;
  readonly host: ProviderHost;
  /** The lines of the host: warnings of the resources. */
  readonly printed: string[];
  close(): Promise<void>;
}

type StartHost = (...asked: Parameters<typeof hostInProcess>) => ProviderHost;

/** Opens one emulator and one host, as an operation has them. `env` adds to the host's environment. `start`: in this process or in its own. */
export async function openWorld(
  options: EmulatorOptions = {},
  env: Record<string, string> = {},
  start?: StartHost,
): Promise<World> {
  const emulator = await startEmulator(options);
  const started = openHost(emulator, env, start);
  return {
    emulator,
    ...started,
    close: async () => {
      await started.host.close();
      await emulator.close();
    },
  };
}

/** Opens one for all tests of a file. Each test begins with the service's choices, and without faults, calls and lines of others. */
export function worldOfAll(...asked: Parameters<typeof openWorld>): World {
  const world = forAllTests(() => openWorld(...asked));
  beforeEach(() => {
    world.emulator.faults.clear();
    Object.assign(world.emulator.notShown, notShownDefaults, asked[0]?.notShown);
    world.emulator.requests.length = 0;
    world.printed.length = 0;
  });
  return world;
}

export function madeForAll(
  world: World,
  kind: Kind,
  name: string,
  inputs: () => PropertyMap = () => (kind === "project" ? PROJECT : {}),
): { readonly id: string } {
  const made = { id: "" };
  beforeAll(async () => {
    made.id = (await applied(world, kind, name, inputs())).id;
  });
  return made;
}

export interface WorldBehind extends World {
  readonly between: Between;
  /** The proxy's own. */
  readonly baseUrl: string;
}

/** Opens one emulator and one host, with a proxy between them. */
export async function openBehind(): Promise<WorldBehind> {
  const emulator = await startEmulator();
  const between = new Between(emulator);
  const baseUrl = await between.listen();
  const started = openHost(emulator, { LANDFORM_BASE_URL: baseUrl, LANDFORM_PATIENCE_MS: "300" });
  const close = async (): Promise<void> => {
    await started.host.close();
    between.close();
    await emulator.close();
  };
  return { emulator, between, baseUrl, ...started, close };
}

export function openHost(
  emulator: Emulator,
  env: Record<string, string> = {},
  start: StartHost = hostInProcess,
): { host: ProviderHost; printed: string[] } {
  const printed: string[] = [];
  const events = new Events((event) => printed.push(event.diagnosticEvent?.message ?? ""), {
    planning: false,
    secrets: [],
  });
  const config = {
    LANDFORM_BASE_URL: emulator.baseUrl,
    LANDFORM_API_KEY: emulator.apiKey,
    LANDFORM_PATIENCE_MS: "600",
    PULUMI_BACKEND_URL: "",
    PULUMI_HOME: machineOf(emulator),
    ...env,
  };
  const options = { sdk: () => loadSdk(root), cwd: root, project: "test", env: { ...process.env, ...config }, events };
  return { host: start(options, { urn: PROVIDER, id: "id", inputs: {} }), printed };
}

const machines = new WeakMap<Emulator, string>();

/** Returns Pulumi's home on the machine that works with this emulator. */
function machineOf(emulator: Emulator): string {
  const home = machines.get(emulator) ?? newMachine();
  machines.set(emulator, home);
  return home;
}

export function newMachine(): string {
  const home = mkdtempSync(join(tmpdir(), "landform-home-"));
  process.once("exit", () => rmSync(home, { recursive: true, force: true }));
  return home;
}

type Work = (client: ProviderClient, printed: string[]) => Promise<unknown>;

/** Runs `work` with another process on the same emulator, and returns the lines of that. */
export async function runWith({ emulator }: World, env: Record<string, string>, work: Work): Promise<string> {
  const { host, printed } = openHost(emulator, env);
  try {
    await work(host.client, printed);
  } finally {
    await host.close();
  }
  return printed.join("\n");
}

export const nextRun = (world: World, work: Work): Promise<string> => runWith(world, {}, work);

/** Returns the environment that gives a run these facts, as the command line does. */
export function factsFile(facts: RunFacts): Record<string, string> {
  const file = writeFacts(facts);
  onTestFinished(() => file.remove());
  return file.env;
}

export type Outcome = "created" | "same" | "updated" | "replaced";

export class CheckError extends Error {
  readonly failures: { property: string; reason: string }[];
  constructor(failures: { property: string; reason: string }[]) {
    super(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
    this.failures = failures;
  }
}

export class ResourceTest {
  readonly world: World;
  readonly urn: string;
  readonly type: string;
  readonly #extra: PropertyMap;
  client: ProviderClient;
  state: ResourceState | undefined;
  #named: boolean;
  #name: string;

  constructor(world: World, kind: Kind, name: string) {
    const definition = registry[kind];
    this.world = world;
    this.client = world.host.client;
    this.type = `pulumi-nodejs:dynamic/landform:${definition.type}`;
    this.urn = `urn:pulumi:dev::test::${this.type}::${name}`;
    this.#named = definition.named;
    this.#name = name;
    this.#extra = {
      __identity: identityFor(this.urn),
      __provider: `exports.handler=()=>require("landform/dynamic").${kind}`,
    };
  }

  handTo(client: ProviderClient): this {
    this.client = client;
    return this;
  }

  get id(): string {
    return this.state?.id ?? "";
  }

  get outputs(): PropertyMap {
    return this.state?.outputs ?? {};
  }

  /** Returns the published revision of a page, as text. */
  get live(): string {
    return liveOf(this.world, this.id);
  }

  /** Returns a page as visitors get it. */
  async visited(): Promise<string> {
    const { host, pathname } = new URL(this.outputs["url"] as string);
    const response = await fetch(`${this.world.emulator.url}/_sites/${host.split(".")[0] ?? ""}${pathname}`);
    expect(response.status).toBe(200);
    return response.text();
  }

  /** Returns the inputs that the resource class would send. */
  inputs(declared: PropertyMap): PropertyMap {
    return { ...(this.#named && { name: this.#name }), ...declared, ...this.#extra };
  }

  async check(declared: PropertyMap): Promise<PropertyMap> {
    const { inputs, failures } = await this.client.check({
      kind: "check",
      urn: this.urn,
      type: this.type,
      provider: "",
      olds: this.state?.inputs ?? {},
      news: this.inputs(declared),
      unknowns: true,
    });
    if (failures.length > 0) throw new CheckError(failures);
    return inputs;
  }

  async diff(declared: PropertyMap): Promise<DiffAnswer> {
    const inputs = await this.check(declared);
    return this.client.diff({
      kind: "diff",
      urn: this.urn,
      type: this.type,
      provider: "",
      id: this.id,
      oldInputs: this.state?.inputs ?? {},
      oldOutputs: this.outputs,
      newInputs: inputs,
      ignoreChanges: [],
      unknowns: true,
    });
  }

  /** Runs one `up`: the engine's calls for these inputs. A partial failure keeps the resource and throws. */
  async up(declared: PropertyMap): Promise<Outcome> {
    const inputs = await this.check(declared);
    const next: ResourceState = { urn: this.urn, type: this.type, custom: true, inputs };
    if (!this.state) return this.#create(next, "created");
    const diff = await this.diff(declared);
    if (diff.replaceKeys.length > 0) return this.#replace(next, diff.deleteBeforeReplace);
    const unfinished = (this.state.initErrors ?? []).length > 0;
    if (diff.changes !== "some" && !unfinished) {
      // An engine records the present declaration, whatever the state said before.
      this.state = { ...this.state, inputs };
      return "same";
    }
    return this.#update(next);
  }

  async upNext(declared: PropertyMap, env: Record<string, string> = {}): Promise<Outcome> {
    const { host } = openHost(this.world.emulator, env);
    try {
      return await this.handTo(host.client).up(declared);
    } finally {
      await host.close();
    }
  }

  /** Runs an up, and a second one that must plan and send nothing. */
  async apply(declared: PropertyMap): Promise<Outcome> {
    const outcome = await this.up(declared);
    const before = this.world.emulator.requests.length;
    const again = await this.up(declared);
    if (again !== "same") throw new Error(`the second apply of ${this.urn} planned "${again}"`);
    if (this.world.emulator.requests.length !== before) throw new Error("the second apply called the service");
    return outcome;
  }

  /** Returns false if the service says that the object is gone. The state then forgets it, as Pulumi's does. */
  async refresh(): Promise<boolean> {
    if (!this.state) throw new Error("nothing to refresh");
    const read = await this.client.read(this.state);
    this.state = read && {
      ...this.state,
      outputs: read.outputs,
      inputs: read.inputs ?? this.state.inputs ?? {},
      initErrors: [],
    };
    return read !== undefined;
  }

  async delete(): Promise<void> {
    if (!this.state) throw new Error("nothing to delete");
    await this.client.delete(this.state);
    this.state = undefined;
  }

  async #create(next: ResourceState, outcome: Outcome): Promise<Outcome> {
    const { id, outputs, initErrors = [] } = await this.client.create(next);
    this.state = { ...next, id, outputs, initErrors };
    if (initErrors.length > 0) throw new Error(initErrors.join("\n"));
    return outcome;
  }

  async #update(next: ResourceState): Promise<Outcome> {
    const old = this.state as ResourceState;
    const { outputs, initErrors = [] } = await this.client.update(old, { ...next, id: this.id });
    this.state = { ...next, id: this.id, outputs, initErrors };
    if (initErrors.length > 0) throw new Error(initErrors.join("\n"));
    return "updated";
  }

  async #replace(next: ResourceState, deleteFirst: boolean): Promise<Outcome> {
    const old = this.state as ResourceState;
    if (deleteFirst) await this.client.delete(old);
    await this.#create(next, "replaced");
    if (!deleteFirst) await this.client.delete(old);
    return "replaced";
  }
}

export async function applied(world: World, kind: Kind, name: string, declared: PropertyMap): Promise<ResourceTest> {
  const resource = new ResourceTest(world, kind, name);
  await resource.apply(declared);
  return resource;
}

/** Returns the emulator's calls since the last look, as `METHOD /path`, without the reads of the account and the contract. */
export function calls({ emulator }: World): string[] {
  const made = emulator.requests.map(({ method, path }) => `${method} ${path.split("?")[0] ?? path}`);
  emulator.requests.length = 0;
  return made.filter((call) => call !== "GET /me" && call !== "GET /openapi.json");
}

/** Calls the service by hand, as a person does in the app. */
export async function byHand<Answer = unknown>(
  world: World,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await inTheApp<Answer>(world, method, path, body);
  world.emulator.requests.length = 0;
  return answer;
}

export const makeByHand = async (world: World, path: string, body: object): Promise<string> =>
  (await byHand<{ id: string }>(world, "POST", path, body)).id;

export const publications = (world: World): number =>
  calls(world).filter((call) => call === "POST /pages/publish").length;

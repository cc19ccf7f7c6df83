/** The arguments that resource-classes.ts hands to Pulumi: a raw custom resource whose provider is its handler's entry point. */
import { landform } from "../values/command-line.ts";
import { fileURLToPath } from "node:url";
import * as pulumi from "@pulumi/pulumi";
// A program that asks by its own runtime is run once more by the embedded engine (kept-outputs.ts).
import { isDryRun } from "@pulumi/pulumi/runtime/settings.js";
import type { AnyDefinition } from "../definition/define.ts";
import { identityFor } from "../ledger/identity.ts";
import { resourceType } from "../kinds/registry.ts";
import { keepSteady, rememberSecrets, repeatedSecrets, secretPlaces } from "./kept-outputs.ts";
import { notePlace } from "./program-places.ts";
import { isPrintable, isToldByValue, type Making, plain, registered } from "./registered.ts";
import { previewScope } from "./preview.ts";
import { sharedClaim } from "./shared-claims.ts";
import { previewed, settleStandIn, type StandIn } from "./preview-registration.ts";
import { isInRelease, joinRelease, withFollowing, withRelease } from "./release-scope.ts";
import { FACTS_VARIABLE } from "./run-facts.ts";

/** A class calls its base with `call`, and hands the rest to `settle`. */
export interface Registration {
  readonly call: StandIn["registration"];
  /** The stand-in; absent if the resource itself is registered. */
  readonly standIn?: StandIn;
  readonly secrets?: Promise<readonly string[]>;
}

export function registration(
  definition: AnyDefinition,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions = {},
): Registration {
  shortStacks();
  refuseMisnamed(definition, name, options);
  notePlace(definition.type, name, registration);
  tellOfImpact();
  const scope = previewScope();
  const whole = withRelease(definition, name, args);
  if (!scope) return made(definition, name, whole, options, undefined);
  const here = previewed(scope, definition, name, whole, options);
  if ("registration" in here) return { call: here.registration, standIn: here };
  return made(definition, name, here.args, here.options, scope.facts.environment.name);
}

const told = new WeakSet();

/** Pulumi's own preview shows fields alone. A run of the command line has facts, and shows the impact itself. */
function tellOfImpact(): void {
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined || told.has(monitor) || !isDryRun() || isMocked() || process.env[FACTS_VARIABLE]) return;
  told.add(monitor);
  const stack = pulumi.getStack();
  const command = landform("preview", ...(stack === "dev" ? [] : ["-s", stack]));
  void pulumi.log.info(
    `${command} shows the impact: public addresses, texts word by word, and edits of others that would go live.`,
  );
}

export function settle(
  resource: pulumi.CustomResource,
  definition: AnyDefinition,
  args: object,
  { standIn, secrets }: Registration,
): void {
  restoreStacks();
  if (standIn) settleStandIn(resource, definition, standIn);
  if (secrets) rememberSecrets(resource, secrets);
  keepSteady(resource, definition, args);
  if (definition.public === "address") joinRelease(resource);
}

function made(
  definition: AnyDefinition,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions,
  environment: string | undefined,
): Registration {
  const { parent, ignoreChanges = [], additionalSecretOutputs = [] } = options;
  const shared = sharedClaim(definition, name, args);
  if (shared !== undefined) throw refusal(shared);
  const identity = identityOf(resourceType(definition), name, parent, environment);
  const hidden = isToldByValue(definition) ? secretPlaces(args) : undefined;
  const declared = { definition, name, args: plainInputs(definition, name, args), identity, ignoreChanges, hidden };
  const { type, inputs, secrets } = registered<unknown>({ ...declared, isInRelease: isInRelease() }, OF_THE_SDK);
  secrets.push(...additionalSecretOutputs);
  const repeated = repeatedSecrets(definition, args);
  const all = repeated ? whole(repeated, secrets) : Promise.resolve(secrets);
  // The SDK reads the list of secrets once all properties are there. This property waits until the list is whole.
  if (repeated) inputs["__identity"] = all.then(() => identity);
  if (isMocked())
    for (const own of ["__provider", "__identity", "__ignored", "__hidden"]) Reflect.deleteProperty(inputs, own);
  return { call: [type, name, inputs, { ...withFollowing(options), additionalSecretOutputs: secrets }], secrets: all };
}

/** A unit test of a program (`pulumi.runtime.setMocks`) sees the inputs that the program declares, and none of ours. */
function isMocked(): boolean {
  return pulumi.runtime.getMonitor()?.constructor.name === "MockMonitor";
}

const OF_THE_SDK: Making<unknown> = { fixed: (value) => value, secret: (value) => pulumi.secret(value) };

async function whole(repeated: Promise<string[]>, secrets: string[]): Promise<readonly string[]> {
  secrets.push(...(await repeated).filter((output) => !secrets.includes(output)));
  return secrets;
}

function plainInputs({ type }: AnyDefinition, name: string, args: object): Record<string, unknown> {
  try {
    const inputs = plain({ ...args }, "") as Record<string, unknown>;
    for (const [key, value] of Object.entries(inputs)) if (!isPrintable(value)) inputs[key] = pulumi.output(value);
    return inputs;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The SDK would print the cause, and its stack, after it.
    throw refusal(`${type} "${name}": ${error.message}`);
  }
}

/** Refuses arguments that the SDK would refuse without a place. */
function refuseMisnamed({ type }: AnyDefinition, name: unknown, options: object): void {
  if (typeof name !== "string" || name === "")
    throw refusal(`${type}: the first argument is the resource's name, and is ${name === "" ? "empty" : typeof name}`);
  if ("providers" in options)
    throw refusal(`${type} "${name}": the option \`providers\` is for components; a resource has one \`provider\``);
  // Pulumi gives a dynamic provider no means to read an existing object.
  if ("import" in options && options.import !== undefined)
    throw refusal(
      `${type} "${name}": the option \`import\` does not work for this kind of provider. Set its input adoptId to the object's id`,
    );
}

/** Returns an error with the place in the program, which short stacks don't show. */
function refusal(message: string): TypeError {
  restoreStacks();
  return new TypeError(message);
}

/** Returns the identity as text that depends on nothing: an output would depend on the parent, and through it on all its children. */
function identityOf(
  type: string,
  name: string,
  parent: pulumi.Resource | undefined,
  environment: string | undefined,
): string | Promise<string> {
  // The SDK makes it like this, by four outputs.
  if (parent === undefined)
    return identityFor(`urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`, environment);
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply((urn) => resolve(identityFor(urn, environment)));
  });
}

const FRAMES_UP_TO_THE_PROGRAM = 6;

/**
 * A frame of an ES module: the top level has no parentheses, and the file is a URL. The SDK's parser understands neither
 * (3.270, 2026-11-21), and would lose the line of the program.
 */
const FRAME_OF_A_MODULE = /^( +at )(?:(.*) \()?(file:\/\/.*?):(\d+):(\d+)\)?$/gm;

function readableFrame(_frame: string, ...[at, name = "program", url, line, column]: string[]): string {
  return `${at}${name} (${fileURLToPath(url ?? "")}:${line}:${column})`;
}

/**
 * The SDK captures a source-mapped stack for every property of every resource (half of a program's time at 1,000 resources), and writes the
 * whole stack of the registration into the state (measured on 3.270, 2026-11-21). Until `restoreStacks`, the only stack is that of the
 * registration, down to the line of the program.
 */
function shortStacks(): void {
  restoreStacks();
  const { stackTraceLimit } = Error;
  const prepare = Reflect.get(Error, "prepareStackTrace") as Prepare | undefined;
  Error.stackTraceLimit = 0;
  Error.prepareStackTrace = (error, sites) => {
    const short = sites.slice(0, FRAMES_UP_TO_THE_PROGRAM);
    const stack = prepare ? prepare(error, short) : [String(error), ...short.map(frameText)].join("\n");
    return typeof stack === "string" ? stack.replace(FRAME_OF_A_MODULE, readableFrame) : stack;
  };
  restore = () => {
    Error.stackTraceLimit = stackTraceLimit;
    Reflect.set(Error, "prepareStackTrace", prepare);
    restore = undefined;
  };
  // A constructor that throws comes to no end of its own.
  queueMicrotask(restoreStacks);
}

export function restoreStacks(): void {
  restore?.();
}

let restore: (() => void) | undefined;

type Prepare = (error: Error, sites: NodeJS.CallSite[]) => unknown;

/** A frame knows how to print itself, which its type doesn't say. */
function frameText(site: NodeJS.CallSite & { toString(): string }): string {
  return `    at ${site.toString()}`;
}

/** A second account in the same program: resources with the option `provider` go to it. */
export interface AccountArgs {
  /** Base URL of the API, with its version segment. */
  readonly baseUrl: pulumi.Input<string>;
  /** Name of the environment variable that holds the account's API key. The key itself never enters the program. */
  readonly apiKeyEnv: string;
  /** Limit for a call and its retries, in milliseconds. */
  readonly timeoutMs?: number;
  /** Calls under way at the same time. */
  readonly maxConcurrency?: number;
  /** The most calls that start in a second. */
  readonly requestsPerSecond?: number;
}

export class Account extends pulumi.ProviderResource {
  constructor(name: string, args: AccountArgs, options?: pulumi.ResourceOptions) {
    const settings = Object.entries<pulumi.Input<string | number> | undefined>({ ...args });
    const inputs = settings.flatMap(([key, value]) =>
      value === undefined ? [] : [[`landform:${key}`, pulumi.output(value).apply(String)] as const],
    );
    super("pulumi-nodejs", name, Object.fromEntries(inputs), options);
  }
}

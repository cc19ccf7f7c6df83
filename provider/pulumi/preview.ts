/**
 * Runs a program as a preview: by LANDFORM_PREVIEW, by the command line, or by a program that says so itself. The program stays as it is.
 * This finds out what its resources are registered as.
 */
import * as pulumi from "@pulumi/pulumi";
import { hostLine, TYPED_LINES } from "../messages/host-lines.ts";
import type { Notice } from "../messages/notices.ts";
import { type MarkOf, marksOnOneSite, type Moved, movesOf, UNMARKED } from "../preview/addresses.ts";
import { ENVIRONMENT } from "../preview/stand-ins.ts";
import type { NamedObject, PreviewFacts } from "../preview/facts.ts";
import { hasHost } from "../preview/base.ts";
import { prefixOf } from "../definition/in-preview.ts";
import { type PreviewArgs, refuseOwnPreview, stackFacts, type StackFacts } from "./preview-facts.ts";
import { allOf, mapValue } from "./preview-values.ts";
import { handlerReference } from "./registered.ts";
import { runFacts } from "./run-facts.ts";
import { yesOrNo } from "../api/config.ts";

/** The facts that a preview has while its program runs. */
export interface Scope {
  readonly facts: PreviewFacts;
  /** By kind: `--site` and `--project`. */
  readonly named: NamedObjects;
  readonly environment: pulumi.CustomResource;
  readonly prefix: pulumi.Input<string>;
  /** Returns the marks that tell paths of pages apart if all pages come to one site. */
  readonly mark: MarkOf;
  /** Addresses of the base's pages, with their addresses here. */
  readonly moves: pulumi.Input<readonly Moved[]>;
}

/** The objects are found by then, or while the program runs. */
type NamedObjects = Readonly<Record<string, NamedObject | Promise<NamedObject>>>;

class Environment extends pulumi.CustomResource {
  declare readonly token: pulumi.Output<string>;

  constructor({ environment, token }: PreviewFacts, named: NamedObjects) {
    const ids = Object.entries(named).map(
      ([kind, object]) => [kind, mapValue<NamedObject>(object, ({ id, name }) => ({ id, name }))] as const,
    );
    super(`pulumi-nodejs:dynamic/landform:${ENVIRONMENT}`, environment.name, {
      ...environment,
      named: Object.fromEntries(ids),
      token,
      createdAt: undefined,
      pushedAt: undefined,
      expiresAt: undefined,
      __provider: handlerReference("environment"),
    });
  }
}

/** The scope of each run of a program in this process, by its stack resource. */
const scopes = new WeakMap<object, Scope | "none">();
/** The arguments that a program gave before it made anything. */
const said = new WeakMap<object, PreviewArgs>();

/** Makes all that follows a preview of the base, which touches nothing of the base. Call it before the first resource. */
export function preview(args: PreviewArgs = {}): void {
  const run = runKey();
  if (scopes.has(run))
    throw new pulumi.RunError("landform.preview() comes too late: call it before the first resource");
  said.set(run, args);
  leaveOptionsOut();
}

/** Returns the scope; undefined if the program runs as itself. */
export function previewScope(): Scope | undefined {
  const run = runKey();
  const known = scopes.get(run);
  if (known !== undefined) return known === "none" ? undefined : known;
  const found = factsInForce(said.get(run));
  if (found === undefined) {
    scopes.set(run, "none");
    refuseOwnPreview();
    return undefined;
  }
  leaveOptionsOut();
  const scope = scopeOf(found);
  scopes.set(run, scope);
  return scope;
}

/** A program without a stack is one of a test. */
const NO_STACK = {};

function runKey(): object {
  return pulumi.runtime.getStackResource() ?? NO_STACK;
}

/** Returns the facts in force. The command line's word goes before all others. */
function factsInForce(args: PreviewArgs | undefined): StackFacts | undefined {
  const known = runFacts().preview;
  if (known) return { facts: known, named: known.named };
  const variable = process.env["LANDFORM_PREVIEW"] ?? "";
  const isYes = yesOrNo(variable);
  if (isYes === false) return args && stackFacts(args);
  return stackFacts({ ...(isYes === true ? {} : { name: variable }), ...args });
}

/** Options by which resources stay. A preview does without them, since all of it has to go again, and names those that it leaves out. */
type LeftOutOption = Extract<Notice, { code: "option-left-out" }>["option"];

/** Takes the options away, and warns of them. The command line reads the data in the line. */
export function withoutStaying<Options extends pulumi.CustomResourceOptions>(
  options: Options,
  kind: string,
  name: string,
) {
  const asked = Object.keys(runFacts()).length > 0 ? TYPED_LINES : {};
  for (const option of ["protect", "retainOnDelete"] satisfies LeftOutOption[])
    if (options[option] === true)
      void pulumi.log.warn(hostLine({ code: "option-left-out", kind, id: "", name, option }, asked));
  return { ...options, protect: false, retainOnDelete: false };
}

const withoutOptions = new WeakSet<object>();

/** Leaves options out for components, too, and for resources of other providers. Our own resources do this themselves (preview-registration.ts). */
function leaveOptionsOut(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || withoutOptions.has(stack)) return;
  withoutOptions.add(stack);
  pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => {
    if (type.startsWith("pulumi-nodejs:dynamic/landform:")) return undefined;
    return { props, opts: withoutStaying(opts, type.slice(type.lastIndexOf(":") + 1), name) };
  });
}

/**
 * Runs before the program says a word: what it makes before its first resource of ours counts, too. (A process that loads this before it
 * has its work knows of no run. Processes of a preview don't: stack/engines/embedded.ts.)
 */
if (runFacts().preview !== undefined || yesOrNo(process.env["LANDFORM_PREVIEW"]) !== false) leaveOptionsOut();

function scopeOf({ facts, named }: StackFacts): Scope {
  const { environment: about, token, base } = facts;
  const environment = new Environment(facts, named);
  const prefix = mapValue(token ?? environment.token, (known) => prefixOf(about.name, known)) as pulumi.Input<string>;
  const { slugStyle } = about;
  const mark = hasHost(named) ? marksOnOneSite(base) : UNMARKED;
  const moves = about.drafts
    ? []
    : (mapValue(prefix, (known) =>
        mapValue(hostIn(named), (host) => movesOf(base, { prefix: known, slugStyle, host, mark })),
      ) as pulumi.Input<readonly Moved[]>);
  return { facts, named, environment, prefix, mark, moves };
}

/** Returns the object that all pages come to: a public one has an address below it. */
function hostIn(named: NamedObjects): pulumi.Input<NamedObject | undefined> {
  const withRoot = (all: readonly NamedObject[]): NamedObject | undefined => all.find(({ root }) => root !== undefined);
  return mapValue<readonly NamedObject[]>(allOf(Object.values(named)), withRoot) as pulumi.Input<
    NamedObject | undefined
  >;
}

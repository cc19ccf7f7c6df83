/** Shows lint a program's resources as a manifest. Each text has its place in the code or the data, if one is found. */
import { basename, join, relative } from "node:path";
import { type Json, nameOf, type PropertyMap } from "../../engine/index.ts";
import {
  checkComments,
  Deferred,
  Diagnostics,
  type Entry,
  type LintSettings,
  type Manifest,
  type Place,
  renderText,
  SourceFile,
  type Spot,
  type Tree,
  type TreeMap,
} from "../../manifest/index.ts";
import { isMap } from "../../provider/values/json.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { refersTo, schemaBelow } from "../../provider/definition/schema-walk.ts";
import { definitionOf, keyOfKind, type Kind, registry } from "../../provider/kinds/registry.ts";
import { UsageError } from "../exit/codes.ts";
import type { ProjectFolder } from "../project/open.ts";
import { LATER, SECRET } from "../report/model.ts";
import type { Told } from "../report/steps.ts";
import { visible } from "../report/values.ts";
import { programFiles } from "../sources/program.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";

/** `told`: the resources of a preview, by URN. */
export function registered(
  { root, project }: ProjectFolder,
  told: ReadonlyMap<string, Told>,
  settings: LintSettings,
): Manifest {
  const files = new ProgramTexts(root);
  const resources = [...told.values()].flatMap((one) => resourceOf(one) ?? []);
  const addresses = new Map(
    resources.flatMap(({ kind, id, address }) => (id === "" ? [] : [[keyOfKind(kind, id), address] as const])),
  );
  const entries = resources.map((one) => entryOf(one, files, addresses));
  const diagnostics = new Diagnostics();
  checkComments(files.code, diagnostics);
  if (diagnostics.failed) throw new UsageError(renderText(diagnostics.list(), { colour: false }));
  return {
    root: files.main,
    files: files.all,
    data: [],
    name: project.name,
    accounts: [],
    entries,
    outputs: [],
    vacant: [],
    lint: settings,
  };
}

interface Registered {
  readonly kind: Kind;
  readonly key: string;
  readonly address: string;
  readonly id: string;
  readonly inputs: PropertyMap;
}

/** Returns undefined for a resource that is not Landform's, and for a deletion. */
function resourceOf({ urn, steps, id }: Told): Registered | undefined {
  const step = [...steps.values()].findLast((one) => one.new !== undefined && !one.op.startsWith("delete"));
  const definition = step && definitionOf(step.type);
  const kind = (Object.keys(registry) as Kind[]).find((one) => registry[one] === definition);
  if (step?.new === undefined || definition === undefined || kind === undefined) return undefined;
  const key = nameOf(urn);
  const address = propertyPath([definition.section, key]);
  return { kind, key, address, id, inputs: visible(step.new.inputs) };
}

function entryOf(
  { kind, key, address, inputs: given }: Registered,
  files: ProgramTexts,
  addresses: ReadonlyMap<ObjectKey, string>,
): Entry {
  const declaredAt = files.nameAt(key);
  const place = declaredAt ?? files.main.whole;
  const places = new Map<string, Spot>();
  const inputs = asTree(given, []) as TreeMap;
  return { address, kind, definition: registry[kind], key, place, inputs, options: NONE, account: undefined, places };

  function asTree(value: Json, path: readonly (string | number)[]): Tree {
    if (typeof value === "string") return textAt(value, path);
    if (Array.isArray(value)) return value.map((item, index) => asTree(item, [...path, index]));
    if (typeof value === "number") places.set(propertyPath(path), { place, path: `${address}.${propertyPath(path)}` });
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asTree(inner, [...path, name])]));
  }

  function textAt(value: string, path: readonly (string | number)[]): Tree {
    const at = `${address}.${propertyPath(path)}`;
    const schema = path.reduce<unknown>((here, step) => schemaBelow(here, step), registry[kind].inputs);
    const [target] = refersTo(schema).flatMap((what) => addresses.get(keyOfKind(what, value)) ?? []);
    if (target !== undefined) return later({ from: "resource", target, property: ["id"] }, at);
    // Lint looks at no text that is known later or is a secret.
    if (value === LATER || value.includes(SECRET)) return later({ from: "stack" }, at);
    // A resource without a written name has its key as its name.
    if (!(path[0] === "name" && value === key))
      places.set(propertyPath(path), { place: files.textAt(value, declaredAt) ?? place, path: at });
    return value;
  }

  function later(origin: Deferred["origin"], path: string): Deferred {
    return new Deferred(origin, "text", place, path);
  }
}

const NONE = { dependsOn: [], ignoreChanges: [], aliases: [] } as const;

interface Found {
  readonly value: string;
  readonly place: Place;
}

/** The texts of a program's files, by their content. */
class ProgramTexts {
  readonly main: SourceFile;
  readonly all: readonly SourceFile[];
  readonly code: readonly SourceFile[];
  readonly #texts: ReadonlyMap<string, readonly Found[]>;
  readonly #names: ReadonlyMap<string, Place>;

  constructor(root: string) {
    const files = programFiles(root);
    this.all = files.map(({ file }) => file);
    this.code = files.flatMap(({ file, isCode }) => (isCode ? [file] : []));
    const said = files.flatMap(({ file, isCode, texts }): Found[] => {
      const written = texts.filter(({ role }) => role === "value" || role === "cell");
      const isOneText = !isCode && texts.length === 0;
      const whole = isOneText ? [...new Set([file.text, file.text.trim()])] : [];
      return [...written, ...whole.map((value) => ({ value, place: file.whole }))];
    });
    this.#texts = Map.groupBy(said, ({ value }) => value);
    const names = files.flatMap(({ texts }) => texts.filter(({ role }) => role === "name"));
    // The first place of a name counts.
    this.#names = new Map(names.toReversed().map(({ value, place }) => [value, place]));
    const empty = new SourceFile(join(root, "Pulumi.yaml"), relative(process.cwd(), join(root, "Pulumi.yaml")), "");
    this.main = this.code.find(({ path }) => /^index\.[cm]?[jt]s$/.test(basename(path))) ?? this.code[0] ?? empty;
  }

  /** The place where a resource of this name is declared, if exactly one literal has the name. */
  nameAt(name: string): Place | undefined {
    return this.#names.get(name);
  }

  /** Returns the first place after the declaration, or else the first place. */
  textAt(value: string, declaredAt: Place | undefined): Place | undefined {
    const all = this.#texts.get(value) ?? [];
    const after = all.find(({ place: { file, start } }) => file === declaredAt?.file && start > declaredAt.start);
    return (after ?? all[0])?.place;
  }
}

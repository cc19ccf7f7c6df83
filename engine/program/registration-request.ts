import type { Alias as WireAlias } from "@pulumi/pulumi/proto/alias_pb.js";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import type { SourcePosition as WirePosition, StackTrace } from "@pulumi/pulumi/proto/source_pb.js";
import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { at, type ErrorPlace, RegistrationError } from "../errors.ts";
import { fromStruct } from "../link/sdk.ts";
import { type PropertyMap, ROOT_STACK_TYPE, type SourcePosition } from "../model/types.ts";
import { findUnstorable } from "../model/unstorable.ts";
import { isUrn, shortType } from "../model/urn.ts";
import type { Alias, Registration } from "../plan/types.ts";
import { refuseUnsupported } from "./unsupported.ts";

/** Reads a registration as the program sent it. The caller fills in the default provider. */
export function readRegistration(request: RegisterResourceRequest, root: string): Registration {
  // The SDK itself registers the stack, in a file of its own.
  const source = request.getType() === ROOT_STACK_TYPE ? undefined : readSource(request.getSourceposition(), root);
  const inputs = fromStruct(request.getObject());
  refuseUnsupported(request, inputs, { source });
  const name = request.getName();
  return checked({
    type: request.getType(),
    name,
    custom: request.getCustom(),
    inputs,
    dependencies: request.getDependenciesList(),
    propertyDependencies: readPropertyDependencies(request),
    aliases: readAliases(request),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    hideDiffs: request.getHidediffsList(),
    protect: request.hasProtect() ? request.getProtect() : undefined,
    retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
    parent: said(request.getParent()),
    provider: said(request.getProvider()),
    providers: readProviders(request),
    deletedWith: said(request.getDeletedwith()),
    deleteBeforeReplace: request.getDeletebeforereplacedefined() ? request.getDeletebeforereplace() : undefined,
    customTimeouts: readTimeouts(request, name),
    source,
    stored: storedPosition(request.getSourceposition(), request.getStacktrace(), root),
  });
}

/** Refuses values that a state can't hold, before the engine asks anything about them. */
export function checked(registration: Registration): Registration {
  const { type, name, inputs, source } = registration;
  const unstorable = unstorableIn(inputs, `${shortType(type)} "${name}"${at(source)}`, { source });
  if (unstorable !== undefined) throw unstorable;
  return registration;
}

export function unstorableIn(values: PropertyMap, whose: string, place: ErrorPlace): RegistrationError | undefined {
  const found = findUnstorable(values);
  return found && new RegistrationError(`${whose}: ${found.path} is ${found.what}, and a state can't hold that`, place);
}

function readProviders(request: RegisterResourceRequest): Registration["providers"] {
  const entries = [...request.getProvidersMap().entries()];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The wire has an empty text where nothing is said. */
function said(value: string): string | undefined {
  return value === "" ? undefined : value;
}

function readPropertyDependencies(request: RegisterResourceRequest): Record<string, string[]> {
  const entries = [...request.getPropertydependenciesMap().entries()];
  return Object.fromEntries(entries.map(([key, urns]) => [key, urns.getUrnsList()]));
}

function readAliases(request: RegisterResourceRequest): Alias[] {
  const urns = request.getAliasurnsList().map((urn) => ({ urn }));
  const aliases = [...urns, ...request.getAliasesList().map(readAlias)];
  for (const alias of aliases) {
    const urn = "urn" in alias ? alias.urn : alias.parent;
    if (urn !== undefined && !isUrn(urn))
      throw new RegistrationError(`the alias "${urn}" of "${request.getName()}" is no URN, nor {name, type, parent}`);
  }
  return aliases;
}

function readAlias(alias: WireAlias): Alias {
  const spec = alias.getSpec();
  if (spec === undefined) return { urn: alias.getUrn() };
  return {
    name: said(spec.getName()),
    type: said(spec.getType()),
    stack: said(spec.getStack()),
    project: said(spec.getProject()),
    ...(spec.getNoparent() ? { noParent: true } : { parent: said(spec.getParenturn()) }),
  };
}

function readSource(position: WirePosition | undefined, root: string): SourcePosition | undefined {
  if (position === undefined || position.getUri() === "") return undefined;
  const uri = position.getUri();
  const file = uri.startsWith("file:") ? fileURLToPath(uri) : uri;
  return sourceIn({ file, line: position.getLine(), column: position.getColumn() }, root);
}

/** Returns a place in the program. Files of the project are relative to its folder. */
export function sourceIn(place: SourcePosition, root: string): SourcePosition {
  const inside = relative(root, place.file);
  return inside.startsWith("..") || isAbsolute(inside) ? place : { ...place, file: inside.split(sep).join("/") };
}

function readTimeouts(request: RegisterResourceRequest, name: string): Registration["customTimeouts"] {
  const wire = request.getCustomtimeouts();
  if (wire === undefined) return undefined;
  const timeouts = {
    ...seconds("create", wire.getCreate(), name),
    ...seconds("update", wire.getUpdate(), name),
    ...seconds("delete", wire.getDelete(), name),
  };
  return Object.keys(timeouts).length === 0 ? undefined : timeouts;
}

const UNITS: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6, ns: 1e-9 };

/** Parses Go's notation of a duration: `1h30m`, `2.5s`, with a sign; `0` needs no unit. A duration of zero counts as none. */
function seconds(key: string, text: string, name: string): Record<string, number> {
  if (text === "") return {};
  const unsigned = text.replace(/^[+-]/, "");
  const parts = [...unsigned.matchAll(/(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs|μs|ns)/g)];
  if (unsigned !== "0" && (parts.length === 0 || parts.map((part) => part[0]).join("") !== unsigned))
    throw new RegistrationError(
      `customTimeouts.${key} of "${name}" is "${text}", which is no duration such as 30s or 5m`,
    );
  const length = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0), 0);
  return length === 0 ? {} : { [key]: text.startsWith("-") ? -length : length };
}

/** Returns the place of a registration as Pulumi's checkpoint has it: `project:///index.ts#4,1`, relative to the project. */
function storedPosition(
  position: WirePosition | undefined,
  trace: StackTrace | undefined,
  root: string,
): Registration["stored"] {
  const sourcePosition = formatPosition(position, root);
  // Pulumi also drops the frames if it can't tell the place.
  if (sourcePosition === undefined && position !== undefined) return {};
  const frames = trace?.getFramesList().map((frame) => {
    const place = formatPosition(frame.getPc(), root);
    return place === undefined ? {} : { sourcePosition: place };
  });
  return { sourcePosition, stackTrace: frames === undefined || frames.length === 0 ? undefined : frames };
}

/** Returns the same for a resource that is declared in one place, without frames around it. */
export function storedFrom(place: SourcePosition, root: string): Registration["stored"] {
  const sourcePosition = formatPlace({ ...place, uri: pathToFileURL(place.file).href }, root);
  return sourcePosition === undefined ? {} : { sourcePosition, stackTrace: [{ sourcePosition }] };
}

function formatPosition(position: WirePosition | undefined, root: string): string | undefined {
  if (position === undefined) return undefined;
  return formatPlace({ uri: position.getUri(), line: position.getLine(), column: position.getColumn() }, root);
}

function formatPlace({ uri, line, column }: WirePosition.AsObject, root: string): string | undefined {
  if (!uri.startsWith("file:///") || line < 0 || column < 0) return undefined;
  const path = relative(root, fileURLToPath(uri));
  const escaped = path.split(sep).map(escapeSegment).join("/");
  return `project:///${escaped}#${line}${column === 0 ? "" : `,${column}`}`;
}

function escapeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}

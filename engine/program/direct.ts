/** Registers resources of a program that needs no process, with the requests that the SDK would send (3.270, 2026-11-22). */
import { relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { at } from "../errors.ts";
import { type ResourceState, ROOT_STACK_TYPE, type SourcePosition } from "../model/types.ts";
import { shortType } from "../model/urn.ts";
import type { Registration } from "../plan/types.ts";
import type { DirectRegistration } from "../request.ts";
import { storedFrom } from "./positions.ts";
import { unstorableIn } from "./registration-request.ts";

export function rootStack(project: string, stack: string): Registration {
  return { ...NOTHING_SAID, type: ROOT_STACK_TYPE, name: `${project}-${stack}`, custom: false, inputs: {} };
}

/** The defaults of a registration without options. */
export const NOTHING_SAID = {
  dependencies: [],
  propertyDependencies: {},
  aliases: [],
  ignoreChanges: [],
  replaceOnChanges: [],
  additionalSecretOutputs: [],
  hideDiffs: [],
};

/** Refuses values that a state can't hold, before the engine asks anything about them. */
export function checked(registration: Registration): Registration {
  const { type, name, inputs, source } = registration;
  const unstorable = unstorableIn(
    inputs,
    `${shortType(type)} "${name}"${at(source)}`,
    source === undefined ? {} : { source },
  );
  if (unstorable !== undefined) throw unstorable;
  return registration;
}

export function completeRegistration(given: DirectRegistration, parent: string, root: string): Registration {
  const { place, ...rest } = given;
  return { ...NOTHING_SAID, ...rest, custom: true, parent, ...(place === undefined ? {} : placed(place, root)) };
}

function placed(place: SourcePosition, root: string): { source: SourcePosition; stored: Stored } {
  const inside = relative(root, place.file);
  const source = { ...place, file: inside.startsWith("..") ? place.file : inside.split(sep).join("/") };
  return { source, stored: storedFrom({ ...place, uri: pathToFileURL(place.file).href }, root) };
}

type Stored = Pick<ResourceState, "sourcePosition" | "stackTrace">;

/**
 * The marker that makes creation exactly-once. An object is created as `NAME [lf-STACK-OWN-SPEC]` and renamed at the end:
 *
 * - STACK is the same for all objects of a stack, so that one search finds everything that a stack left unfinished;
 * - OWN tells the resource (its URN), so that an interrupted creation is carried on, on whatever machine;
 * - SPEC tells what it was created from (the inputs whose change replaces), so that a leftover of an older program is
 *   not taken for what the program asks for now.
 *
 * Lower-case letters, digits and dashes only: a service that folds or trims names leaves a marker readable.
 */
import { createHash } from "node:crypto";
import type { Json } from "../values/json.ts";

export interface Marker {
  readonly stack: string;
  readonly resourceKey: string;
  readonly full: string;
}

const STACK_LENGTH = 8;
const MARKER = /\[?(lf-[0-9a-f]{8}-[0-9a-f]{10}-[0-9a-f]{4})\]?/i;

/** STACK and OWN of a URN, the preview environment, and the logical name. A state holds it twice, so it is short. */
export function identityFor(urn: string, environment?: string): string {
  const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::");
  const name = urn.split("::").slice(3).join("::");
  const part = environment === undefined ? "" : `~${environment}`;
  return `${stackOf(project, stack)}-${digest(urn, 10)}${part} ${name}`;
}

export function markerOf(identity: string, inputs: Json): Marker {
  const resourceKey = resourceKeyIn(identity);
  return { stack: stackIn(resourceKey), resourceKey, full: `${resourceKey}-${digest(JSON.stringify(inputs), 4)}` };
}

export function creationDigestIn(marker: Marker | undefined): string {
  return marker?.full.slice(marker.resourceKey.length + 1) ?? "";
}

export function resourceKeyIn(identity: string): string {
  return identity.split(/[ ~]/, 1)[0] ?? "";
}

export function environmentIn(identity: string): string | undefined {
  return /^[^ ~]*~([^ ]*) /.exec(identity)?.[1];
}

export function stackIn(resourceKey: string): string {
  return resourceKey.slice(0, "lf-".length + STACK_LENGTH);
}

export function stackOf(project: string, stack: string): string {
  return `lf-${digest(`${project}/${stack}`, STACK_LENGTH)}`;
}

export function nameIn(identity: string): string {
  return identity.slice(identity.indexOf(" ") + 1);
}

export function markedName(name: string, marker: Marker): string {
  return `${name} [${marker.full}]`;
}

/** The marker that a name carries, without brackets, folded to lower case. */
export function markerIn(name: string | null | undefined): string | undefined {
  return MARKER.exec(name ?? "")?.[1]?.toLowerCase();
}

export function isMarked(value: Json | undefined): boolean {
  return value !== undefined && MARKER.test(JSON.stringify(value));
}

/** Returns the part before a marker that ends the name; undefined if there is no marker, or something behind it. */
export function unmarkedName(name: string): string | undefined {
  const found = MARKER.exec(name)?.[0];
  const whole = name.trim();
  return found !== undefined && whole.endsWith(found) ? whole.slice(0, -found.length).trim() : undefined;
}

/** A name as it is compared: a service may compose its letters in another way, and fold case and spaces. */
export function folded(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

/** A digest of a name for the ledger, since the name may be a secret. */
export function nameDigest(name: string): string {
  return digest(folded(name), 10);
}

/** Takes the marker out of a text that was made from a marked name of this resource, also if the name was turned into a slug. */
export function withoutMarkerOf(identity: string, text: string): string {
  return text.replaceAll(new RegExp(`[\\s_-]*\\[?${resourceKeyIn(identity)}-[0-9a-f]{4}\\]?`, "gi"), "");
}

export function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

/** A service need not give ids that are unique beyond one collection: page 1 and product 1 are two objects. */
export type ObjectKey = `${string} ${string}`;

interface Kept {
  readonly kind: string;
  readonly collection?: { readonly what: string } | undefined;
}

export function objectKey({ kind, collection }: Kept, id: string): ObjectKey {
  return `${collection?.what ?? kind} ${id}`;
}

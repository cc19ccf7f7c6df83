/** The failure of a step as data: Pulumi's host carries the message alone, and this goes beside it (host-lines.ts). */
import { ApiError, ConfigurationError, type Outcome } from "../api/index.ts";
import { LifecycleError, PartialFailure, UnprovenError, WrongAccountError } from "./errors.ts";

/** The call to the service that failed. */
interface FailedCall {
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  /** The code of the service's own error. */
  readonly code?: string;
  /** Says if the service certainly did nothing. */
  readonly outcome: Outcome;
}

export interface StepFailure {
  readonly code: string;
  /** The kind of the resource. */
  readonly kind: string;
  /** The message for a person. */
  readonly text: string;
  readonly call?: FailedCall;
  /** The setting that has to be set or corrected. */
  readonly setting?: string;
  /** Objects that it may be about. */
  readonly candidates?: readonly string[];
  /** The account of the state, and that of the key. */
  readonly accounts?: { readonly expected: string; readonly actual: string };
}

type Explained = ApiError | LifecycleError;

/** Returns the error that explains it. If something was made in part, that is the error that stood in the way. Undefined for a fault of ours. */
export function explainedBy(error: unknown): Explained | undefined {
  if (error instanceof PartialFailure && isExplained(error.cause)) return error.cause;
  return isExplained(error) ? error : undefined;
}

function isExplained(error: unknown): error is Explained {
  return error instanceof ApiError || error instanceof LifecycleError;
}

export function failureOf(kind: string, error: Explained, text: string): StepFailure {
  return { code: anchorOf(error.name), kind, text, ...detailsOf(error) };
}

function detailsOf(error: Explained): Omit<StepFailure, "code" | "kind" | "text"> {
  if (error instanceof UnprovenError) return { candidates: error.candidates.map(({ id }) => id) };
  if (error instanceof WrongAccountError) return { accounts: error.accounts };
  if (error instanceof ConfigurationError) return { setting: error.setting };
  const api = error instanceof ApiError ? error : error.cause;
  return api instanceof ApiError ? { ...callOf(api) } : {};
}

function callOf({ method, path, status, code, outcome }: ApiError): Pick<StepFailure, "call"> {
  if (method === undefined || path === undefined) return {};
  const known = { ...(status !== undefined && { status }), ...(code !== undefined && { code }) };
  return { call: { method, path, ...known, outcome } };
}

/** Messages are kept in states and reports, so this is a path in the package, and none of this machine. */
export function pageIn(folder: string, page = "troubleshooting.md"): string {
  const path = folder.replaceAll("\\", "/");
  const installed = path.lastIndexOf("node_modules/");
  const root = installed === -1 ? "" : path.slice(installed).replace(/(\/dist)?\/provider(\/\w+)?$/, "/");
  return `${root}docs/${page}`;
}

const PAGE = pageIn(import.meta.dirname);

/** The line that leads there: `WrongPassphraseError` is explained under `wrong-passphrase`. */
export function guideTo(name: string): string {
  return `See ${PAGE}#${anchorOf(name)}`;
}

export function seePage(page: string): string {
  return `See ${pageIn(import.meta.dirname, page)}`;
}

export function anchorOf(name: string): string {
  const words = name.replace(/Error$/, "").replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-");
  return words.toLowerCase();
}

/** Makes a message lead to its entry, for errors of which the message alone arrives. Adds this once, however often the error is thrown. */
export function leadToGuide(error: Error, name = error.name): void {
  const guide = guideTo(name);
  if (error.message.endsWith(guide)) return;
  error.message = `${error.message.replace(/(?<![.!?])$/, ".")} ${guide}`;
}

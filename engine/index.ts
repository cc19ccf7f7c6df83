/**
 * The embedded engine: runs an unmodified Pulumi program in Node with Pulumi's own SDK, keeps the state in Pulumi's own format, and behaves like
 * Pulumi's engine. Other rooms import only from this file.
 */

export { runOperation } from "./run/run.ts";
export { isInterrupted } from "./run/refresh.ts";
export { DEFAULT_PARALLEL } from "./run/run-context.ts";
export { expectLightProcess } from "./link/light-process.ts";
export { Spares } from "./sdk/spares.ts";
export { isPlainSdk } from "./sdk/switch.ts";
export { expectProgram } from "./program/process.ts";
export { prepareLanguage, serveLanguage, type ServedLanguage } from "./program/language.ts";
export type * from "./request.ts";
export type * from "./events.ts";
export { EngineError, ProgramError, type FailureCause } from "./errors.ts";

export { Targets } from "./plan/targets.ts";
export { plannedSecrets } from "./plan/expected.ts";

export * from "./model/types.ts";
export * from "./model/urn.ts";
export * from "./model/values.ts";
export { formatPath, parsePath, type PropertyPath } from "./model/paths.ts";
export { detailedDiff, type DetailedDiff } from "./model/difference.ts";

export * from "./state/types.ts";
export * from "./state/errors.ts";
export { FileBackend } from "./state/backend.ts";
export type { UpdateSession } from "./state/session.ts";
export { backendFolder } from "./state/layout.ts";
export { type AgreedTo, describeHolder, isDead, refuseRunning } from "./state/locks.ts";
export { PassphraseSecrets, passphraseFromEnvironment } from "./state/secrets.ts";
export { checkImport, exportState, importState, unlockStack, type Unlocked } from "./state/surgery.ts";
export type { ExportedStack, StoredDeployment } from "./state/checkpoint.ts";

export { configuredBackend, projectWithoutFile, readProject, type Project } from "./program/project.ts";
export { StackConfig, provePassphrase, stackSecrets } from "./program/stack-config.ts";

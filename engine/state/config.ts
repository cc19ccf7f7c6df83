import { StateError } from "./errors.ts";
import type { Project } from "./project.ts";
import type { ConfigRecord, Json, SecretsManager } from "./types.ts";

/** What the program is given: PULUMI_CONFIG is `values`, PULUMI_CONFIG_SECRET_KEYS is `secretKeys`. */
export interface ResolvedConfig {
  values: Record<string, string>;
  secretKeys: string[];
}

/** Pulumi.<stack>.yaml. Comments and order survive a write. */
export class StackConfig {
  readonly file: string;

  private constructor(file: string) {
    this.file = file;
  }

  /** A missing file is an empty configuration. */
  static read(_project: Project, _stack: string): Promise<StackConfig> {
    throw new StateError("not built yet");
  }
  get encryptionSalt(): string | undefined {
    throw new StateError("not built yet");
  }
  set encryptionSalt(_salt: string) {
    throw new StateError("not built yet");
  }
  /** Keys are `name` (of this project) or `namespace:name`; with `path`, also `name.inner[0]`. */
  get(_key: string, _secrets?: SecretsManager, _options?: { path?: boolean }): Json | undefined {
    throw new StateError("not built yet");
  }
  set(_key: string, _value: Json, _options?: { path?: boolean; secret?: SecretsManager }): void {
    throw new StateError("not built yet");
  }
  remove(_key: string, _options?: { path?: boolean }): boolean {
    throw new StateError("not built yet");
  }
  /** Project defaults and the stack's values, decrypted. */
  resolve(_secrets?: SecretsManager): ResolvedConfig {
    throw new StateError("not built yet");
  }
  /** As the history records it: secrets stay encrypted. */
  record(): ConfigRecord {
    throw new StateError("not built yet");
  }
  write(): Promise<void> {
    throw new StateError("not built yet");
  }
}

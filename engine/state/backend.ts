import { StateError } from "./errors.ts";
import type {
  Deployment,
  SecretsManager,
  StackLock,
  StackRef,
  UpdateOptions,
  UpdateRecord,
  UpdateSession,
} from "./types.ts";

/** Stacks in a folder, in the layout of `pulumi login file://DIR`. */
export class FileBackend {
  /** The folder that holds `.pulumi`. */
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** `file://…` (also `file://~` and relative ones) or a folder. Creates the folder and `meta.yaml` where missing. */
  static open(_urlOrFolder: string): Promise<FileBackend> {
    throw new StateError("not built yet");
  }
  list(_project?: string): Promise<StackRef[]> {
    throw new StateError("not built yet");
  }
  exists(_ref: StackRef): Promise<boolean> {
    throw new StateError("not built yet");
  }
  create(_ref: StackRef, _secrets?: SecretsManager): Promise<void> {
    throw new StateError("not built yet");
  }
  /** Refuses a stack that still has resources unless `force`. */
  remove(_lock: StackLock, _options?: { force?: boolean }): Promise<void> {
    throw new StateError("not built yet");
  }
  /** Throws `StackNotFoundError`. */
  read(_ref: StackRef, _secrets?: SecretsManager): Promise<Deployment> {
    throw new StateError("not built yet");
  }
  lock(_ref: StackRef): Promise<StackLock> {
    throw new StateError("not built yet");
  }
  /** Newest first. */
  history(_ref: StackRef): Promise<UpdateRecord[]> {
    throw new StateError("not built yet");
  }
  begin(_lock: StackLock, _secrets: SecretsManager | undefined, _options: UpdateOptions): Promise<UpdateSession> {
    throw new StateError("not built yet");
  }
}

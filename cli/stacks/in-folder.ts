/** Stacks in a folder, in Pulumi's layout. */
import { rmSync } from "node:fs";
import {
  describeHolder,
  type ExportedStack,
  exportState,
  type FileBackend,
  isDefaultProvider,
  isRootStack,
} from "../../engine/index.ts";
import { historyFolder } from "../history/place.ts";
import { projectsWith } from "../engines/backend.ts";
import { openSecrets } from "../engines/embedded.ts";
import { openStack, type ProjectFolder } from "../project/open.ts";
import type { Stacks, StackSummary } from "./types.ts";

export class FolderStacks implements Stacks {
  readonly place: string;
  readonly #backend: FileBackend;
  readonly #folder: ProjectFolder;

  constructor(backend: FileBackend, folder: ProjectFolder) {
    this.#backend = backend;
    this.#folder = folder;
    this.place = `${backend.root}/.pulumi`;
  }

  async list(): Promise<StackSummary[]> {
    const refs = await this.#backend.list(this.#folder.project.name);
    return Promise.all(refs.map(({ stack }) => this.#summary(stack)));
  }

  async projectsWith(stack: string): Promise<string[]> {
    return projectsWith(this.#backend, this.#ref(stack));
  }

  async #summary(name: string): Promise<StackSummary> {
    const ref = this.#ref(name);
    try {
      const { manifest, resources = [] } = await this.#backend.readStored(ref);
      const [holder] = await this.#backend.holders(ref);
      const count = resources.filter(({ urn }) => !isRootStack(urn) && !isDefaultProvider(urn)).length;
      return { name, resources: count, updated: manifest.time, ...(holder && { holder: describeHolder(holder) }) };
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  async export(stack: string, { showSecrets }: { showSecrets: boolean }): Promise<ExportedStack> {
    const folder = await openStack(this.#folder.root, stack);
    const secrets = showSecrets ? await openSecrets(folder, this.#backend) : undefined;
    return exportState(this.#backend, this.#ref(stack), secrets);
  }

  async remove(stack: string, { force }: { force: boolean }): Promise<void> {
    const lock = await this.#backend.lock(this.#ref(stack));
    try {
      await this.#backend.remove(lock, { force });
      rmSync(historyFolder(this.#backend.root, this.#folder.project.name, stack), { recursive: true, force: true });
    } finally {
      await lock.release();
    }
  }

  close(): void {
    // Nothing is held between the calls.
  }

  #ref(stack: string) {
    return { project: this.#folder.project.name, stack };
  }
}

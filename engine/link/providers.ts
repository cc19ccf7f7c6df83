import { HostError } from "../errors.ts";
import type { PropertyMap, ResourceState } from "../model/types.ts";
import { parseProviderReference, providerReference } from "../model/urn.ts";
import { containsUnknown, equalMaps } from "../model/values.ts";
import type { Answer, Ask } from "../plan/types.ts";
import type { LightProcess } from "./light-process.ts";
import type { ProviderClient } from "./provider-client.ts";
import { beginHost, type ProviderHost, startHost } from "./provider-host.ts";
import type { HostOptions, ProviderIdentity } from "./wire.ts";

/** The providers of a run by reference. A host is started when it is first needed, with the inputs known by then. */
export class Providers {
  readonly #options: HostOptions;
  readonly #inputs = new Map<string, PropertyMap>();
  readonly #hosts = new Map<string, ProviderHost>();

  #waiting: LightProcess | undefined;

  /** `resources`: the state, whose providers serve resources that the program no longer registers. */
  constructor(options: HostOptions, resources: readonly ResourceState[]) {
    this.#options = options;
    this.#waiting = beginHost(options);
    for (const { urn, id, inputs } of resources)
      if (id !== undefined) this.#inputs.set(providerReference(urn, id), inputs ?? {});
  }

  /** Sets the inputs of a provider. It replaces a host that was started with other inputs. */
  async configure(reference: string, inputs: PropertyMap): Promise<void> {
    const before = this.#inputs.get(reference);
    this.#inputs.set(reference, inputs);
    if (before !== undefined && !equalMaps(before, inputs)) await this.#stop(reference);
  }

  client(reference: string): ProviderClient {
    const running = this.#hosts.get(reference) ?? this.#start(reference);
    this.#hosts.set(reference, running);
    return running.client;
  }

  /** Answers the questions of planning. A provider can't be asked before its inputs are known, so the inputs pass as they are. */
  async answer(ask: Ask): Promise<Answer> {
    if (containsUnknown(this.#inputs.get(ask.provider) ?? {})) return withoutProvider(ask);
    const client = this.client(ask.provider);
    return ask.kind === "check" ? client.check(ask) : client.diff(ask);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.keys()].map((reference) => this.#stop(reference)));
    await this.#waiting?.close();
  }

  #start(reference: string): ProviderHost {
    const inputs = this.#inputs.get(reference);
    if (inputs === undefined)
      throw new HostError(
        `the state refers to the provider ${reference}, which is not in it. Restore the state from a backup`,
      );
    const identity: ProviderIdentity = { ...parseProviderReference(reference), inputs };
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return startHost(this.#options, identity, waiting);
  }

  async #stop(reference: string): Promise<void> {
    const host = this.#hosts.get(reference);
    this.#hosts.delete(reference);
    await host?.close();
  }
}

function withoutProvider(ask: Ask): Answer {
  if (ask.kind === "check") return { inputs: ask.news, failures: [] };
  return { changes: "some", replaceKeys: [], deleteBeforeReplace: false };
}

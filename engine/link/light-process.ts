/** The wire to the light host (light-host.ts): the channel that Node gives a parent and its child. */
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { EngineError } from "../errors.ts";
import type { PropertyMap } from "../model/types.ts";
import { inKeyOrder, reveal } from "../model/values.ts";
import { type BoundChild, expectNode, type OnLine, startNode } from "./child.ts";
import { type CallPlace, dead, lost, refusedBy, unanswered } from "./host-failures.ts";
import type { LightAnswer, LightRequest } from "./light-host.ts";
import {
  type Answered,
  type Asked,
  FailedToComeUp,
  type HostOptions,
  type Method,
  patienceFor,
  type ProviderIdentity,
  type Wire,
} from "./wire.ts";
import { childEnvironment } from "./sdk.ts";

const SCRIPT = fileURLToPath(new URL(`./light-host${extname(import.meta.filename)}`, import.meta.url));

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  place: CallPlace;
}

/** One process. It may start before the engine knows which provider it serves. */
export class LightProcess implements Wire {
  readonly #child: BoundChild;
  readonly #project: string;
  readonly #patienceMs: number | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #death: EngineError | undefined;

  constructor(options: HostOptions, modules: readonly string[] = []) {
    const { events, project, patienceMs } = options;
    this.#project = project;
    this.#patienceMs = patienceMs;
    const onLine: OnLine = (line, stream) => events.printed(line, stream);
    this.#child = startNode({ ...startOf(options, modules), args: [], onLine });
    this.#child.onMessage((answer) => this.#answered(answer as LightAnswer));
    void this.#child.exited.then(() => this.#ended());
    if (modules.length > 0) this.#send({ kind: "load", modules });
  }

  configure({ inputs }: ProviderIdentity): void {
    const config = Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, reveal(value)]));
    this.#send({ kind: "configure", project: this.#project, config });
  }

  async call<Name extends Method>(method: Name, urn: string, asked: Asked<Name>): Promise<Answered<Name>> {
    const place = { method, urn, patienceMs: patienceFor(asked, this.#patienceMs) };
    const id = (this.#calls += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject, place });
    const patience = setTimeout(() => reject(unanswered(this.#child, place)), place.patienceMs);
    try {
      if (this.#death !== undefined) throw this.#death;
      this.#send({ kind: "call", id, method, asked: inKeyOrder(asked) });
      return inKeyOrder(await promise) as Answered<Name>;
    } finally {
      clearTimeout(patience);
      this.#waiting.delete(id);
    }
  }

  close(): Promise<void> {
    return this.#child.stop();
  }

  #send(request: LightRequest): void {
    this.#child.send(request);
  }

  #answered(answer: LightAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    if ("answer" in answer) waiting.resolve(answer.answer);
    else if ("lost" in answer) waiting.reject(lost(waiting.place, answer.lost));
    else if (answer.failed !== undefined) {
      const properties = inKeyOrder(answer.failed.properties) as PropertyMap;
      waiting.reject(new FailedToComeUp({ ...answer.failed, properties }));
    } else waiting.reject(refusedBy(answer.refused.toWellFormed()));
  }

  #ended(): void {
    this.#death = dead(this.#child);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#death);
  }
}

type ExpectedHost = Pick<HostOptions, "cwd" | "env" | "project" | "spares">;

/** Starts a process that is needed soon. It loads the modules while the run is made ready. */
export function expectLightProcess(options: ExpectedHost, modules: readonly string[]): void {
  expectNode(startOf(options, modules));
}

function startOf({ cwd, env, project, spares }: ExpectedHost, preload: readonly string[]) {
  const own = { PULUMI_NODEJS_PROJECT: project, PULUMI_PROJECT: project };
  return { script: SCRIPT, bound: true, spares, preload, cwd, env: childEnvironment({ ...env, ...own }) };
}

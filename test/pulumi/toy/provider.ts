import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Call, type Fault, type Properties, ToyStore } from "./store.ts";

/** The values that the service computes. All other values of an object were declared. */
const computed = new Set(["label", "revision"]);
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const longestWaitMs = 20_000;
const answerArrivesMs = 500;

class InitialisationError extends Error {
  readonly id: string;
  readonly properties: Properties;
  readonly reasons = ["the object exists but did not become ready"];

  constructor(id: string, properties: Properties) {
    super(`${id} did not become ready`);
    this.id = id;
    this.properties = properties;
  }
}

const nameOf = (properties: Properties): string => String(properties.name);

const declared = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !computed.has(key)));

function stored(inputs: Properties, revision: number): Properties {
  return { ...inputs, label: `${nameOf(inputs)}:${String(inputs.size)}`, revision };
}

function changedKeys(olds: Properties, news: Properties): string[] {
  const before = declared(olds);
  return [...new Set([...Object.keys(before), ...Object.keys(news)])]
    .filter((key) => key !== "__provider")
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(news[key]))
    .sort();
}

/**
 * The dynamic provider of `toy:Thing`, over the store in `folder`. A changed `size`, `note`, `token` or `links` updates, a changed `kind` replaces,
 * and a changed `slot` replaces and deletes first. `tier` gets a default, and a negative size is refused.
 */
export function thing(folder: string) {
  const store = new ToyStore(folder);

  async function logged<T>(call: Omit<Call, "start" | "end">, body: () => Promise<T> | T): Promise<T> {
    const key = randomUUID();
    store.append({ call: key, phase: "start", ...call });
    try {
      const result = await body();
      store.append({ call: key, phase: "end", ...call });
      return result;
    } catch (error) {
      store.append({ call: key, phase: "end", ...call, failed: true });
      throw error;
    }
  }

  async function waitFor(fault: Fault): Promise<void> {
    for (let waited = 0; !store.hasHappened(fault); waited += 20) {
      if (waited > longestWaitMs) throw new Error(`no "${fault.until ?? ""}" within ${longestWaitMs} ms`);
      await sleep(20);
    }
    if (fault.ended) await sleep(answerArrivesMs);
  }

  /** Applies the fault of this call. Returns true if the change is to be stored and then reported as not ready. */
  async function faulted(method: Call["method"], name: string): Promise<boolean> {
    for (let fault = store.takeFault(method, name); fault; fault = store.takeFault(method, name)) {
      if (fault.mode === "fail") throw new Error(`the toy service refuses to ${method} ${name}`);
      if (fault.mode === "partial") return true;
      await waitFor(fault);
    }
    return false;
  }

  return {
    check: (olds: Properties, news: Properties) =>
      logged({ method: "check", name: nameOf(news), olds, news }, () => ({
        inputs: { tier: "basic", ...news },
        failures: Number(news.size) < 0 ? [{ property: "size", reason: "a thing can't be smaller than nothing" }] : [],
      })),

    diff: (id: string, olds: Properties, news: Properties) =>
      logged({ method: "diff", name: nameOf(news), id, olds, news }, async () => {
        await faulted("diff", nameOf(news));
        const changed = changedKeys(olds, news);
        const replaces = changed.filter((key) => ["kind", "slot"].includes(key) && news[key] !== unknown);
        return { changes: changed.length > 0, replaces, deleteBeforeReplace: replaces.includes("slot") };
      }),

    create: (inputs: Properties) =>
      logged({ method: "create", name: nameOf(inputs), news: inputs }, async () => {
        const name = nameOf(inputs);
        const notReady = await faulted("create", name);
        const made = store.calls().filter((call) => call.method === "create" && call.name === name).length;
        const id = `${name}-${made}`;
        const outs = stored(inputs, 1);
        store.write(id, outs);
        if (notReady) throw new InitialisationError(id, outs);
        return { id, outs };
      }),

    read: (id: string, properties: Properties) =>
      logged({ method: "read", name: nameOf(properties), id, olds: properties }, async () => {
        await faulted("read", nameOf(properties));
        const live = store.read(id);
        return live ? { id, props: live, inputs: declared(live) } : { id: "", props: {} };
      }),

    update: (id: string, olds: Properties, news: Properties) =>
      logged({ method: "update", name: nameOf(news), id, olds, news }, async () => {
        const notReady = await faulted("update", nameOf(news));
        const outs = stored(news, Number(store.read(id)?.revision ?? 0) + 1);
        store.write(id, outs);
        if (notReady) throw new InitialisationError(id, outs);
        return { outs };
      }),

    delete: (id: string, properties: Properties) =>
      logged({ method: "delete", name: nameOf(properties), id, olds: properties }, async () => {
        await faulted("delete", nameOf(properties));
        store.remove(id);
      }),
  };
}

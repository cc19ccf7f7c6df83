/**
 * The process that serves providers which are exports of modules (wire.ts). It answers like the SDK's host of dynamic providers (3.270, 2026-11-22),
 * but without the SDK, which loads longer than the rest of a small run takes. It talks over the channel to its parent.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Json, type PropertyMap, UNKNOWN } from "../model/types.ts";
import {
  type Answered,
  type Asked,
  type InitFailure,
  type Method,
  type ModuleReference,
  moduleReference,
} from "./wire.ts";

export type LightRequest =
  | { kind: "load"; modules: readonly string[] }
  | { kind: "configure"; project: string; config: Record<string, Json> }
  | { kind: "call"; id: number; method: Method; asked: unknown };

/** The answers to the parent. A call gets one answer. */
export type LightAnswer = { id: number; answer: unknown } | ({ id: number } & Refusal) | { id: number; lost: string };

interface Refusal {
  refused: string;
  failed?: InitFailure;
}

interface Provider {
  configure?(request: { config: Config }): void | Promise<void>;
  check?(olds: PropertyMap, news: PropertyMap): Promise<Partial<Answered<"check">>>;
  diff?(id: string, olds: PropertyMap, news: PropertyMap): Promise<DiffResult>;
  create(inputs: PropertyMap): Promise<{ id: string; outs?: PropertyMap }>;
  read?(id: string, props: PropertyMap): Promise<{ id?: string; props?: PropertyMap; inputs?: PropertyMap }>;
  update?(id: string, olds: PropertyMap, news: PropertyMap): Promise<{ outs?: PropertyMap } | undefined>;
  delete?(id: string, props: PropertyMap): Promise<void>;
}

interface DiffResult {
  changes?: boolean;
  replaces?: string[];
  deleteBeforeReplace?: boolean;
}

interface Config {
  get(key: string): Json | undefined;
  require(key: string): Json;
}

const PROVIDER = "__provider";

const load = createRequire(join(process.cwd(), "program.js"));
const providers = new Map<string, Provider>();
let config: Config = configOf("", {});

process.on("message", (request: LightRequest) => {
  if (request.kind === "load") preload(request.modules);
  else if (request.kind === "configure") config = configOf(request.project, request.config);
  else void answer(request);
});

const told = new Set<unknown>();
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error: unknown) => {
    if (told.has(error)) return;
    told.add(error);
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  });
}

/** Ignores a module that can't be loaded: the call that needs it reports the error. */
function preload(modules: readonly string[]): void {
  for (const module of modules) {
    try {
      load(module);
    } catch {
      continue;
    }
  }
}

function configOf(project: string, values: Readonly<Record<string, Json>>): Config {
  const get = (key: string): Json | undefined => values[key.includes(":") ? key : `${project}:${key}`];
  const required = (key: string): Json => {
    const value = get(key);
    if (value === undefined) throw new Error(`Missing required configuration key: ${key}`);
    return value;
  };
  return { get, require: required };
}

async function answer({ id, method, asked }: Extract<LightRequest, { kind: "call" }>): Promise<void> {
  let answered: LightAnswer;
  try {
    answered = { id, answer: await (answers[method] as (asked: unknown) => Promise<unknown>)(asked) };
  } catch (error) {
    answered = { id, ...refusal(method, error) };
  }
  try {
    process.send?.(answered);
  } catch (error) {
    process.send?.({ id, lost: messageOf(error) } satisfies LightAnswer);
  }
}

/** Adds the object that a failed create or update made to the failure. The SDK's host looks nowhere else. */
function refusal(method: Method, error: unknown): Refusal {
  const refused = messageOf(error);
  const { id, properties = {}, reasons = [] } = Object(error) as Partial<InitFailure>;
  if ((method !== "create" && method !== "update") || typeof id !== "string" || id === "") return { refused };
  return { refused, failed: { id, properties, reasons: reasons.length === 0 ? [refused] : reasons } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const answers: { [Name in Method]: (asked: Asked<Name>) => Promise<Answered<Name>> } = {
  check: async ({ olds, news }) => {
    const { inputs = news, failures = [] } = (await providerOf(news, olds).check?.(olds, news)) ?? {};
    return { inputs: { ...inputs, [PROVIDER]: news[PROVIDER] ?? null }, failures };
  },
  diff: async ({ id, olds, news }) => {
    const result = await providerOf(news, olds).diff?.(id, olds, news);
    const { changes, replaces = [], deleteBeforeReplace = false } = result ?? {};
    return {
      changes: changes === undefined ? "unknown" : changes ? "some" : "none",
      replaceKeys: replaces,
      deleteBeforeReplace,
    };
  },
  create: async ({ properties }) => {
    const { id, outs } = await providerOf(properties).create(properties);
    return { id, properties: withProvider(outs, properties) };
  },
  update: async ({ id, olds, news }) => {
    const result = await providerOf(news).update?.(id, olds, news);
    return { properties: withProvider(result?.outs, news) };
  },
  delete: async ({ id, properties }) => {
    await providerOf(properties).delete?.(id, properties);
    return {};
  },
  read: async ({ id, inputs, properties }) => {
    const props = Object.keys(properties).length === 0 ? inputs : properties;
    const provider = providerOf(props);
    if (provider.read === undefined) return { id, properties: props };
    const found = await provider.read(id, props);
    return {
      id: found.id ?? "",
      properties: withProvider(found.props, props),
      ...(found.inputs === undefined ? {} : { inputs: withProvider(found.inputs, props) }),
    };
  },
};

function withProvider(result: PropertyMap = {}, props: PropertyMap): PropertyMap {
  return { ...result, [PROVIDER]: props[PROVIDER] ?? null };
}

function providerOf(now: PropertyMap, before: PropertyMap = now): Provider {
  const text = now[PROVIDER] === UNKNOWN ? before[PROVIDER] : now[PROVIDER];
  const reference = moduleReference(text);
  if (reference === undefined) throw new TypeError(`${JSON.stringify(text)} names no export of a module`);
  const key = `${reference.module} ${reference.name}`;
  const provider = providers.get(key) ?? loaded(reference);
  if (!providers.has(key)) {
    providers.set(key, provider);
    void provider.configure?.({ config });
  }
  return provider;
}

function loaded({ module, name }: ModuleReference): Provider {
  const found = (load(module) as Record<string, Provider | undefined>)[name];
  if (found === undefined) throw new TypeError(`${module} has no provider ${name}`);
  return found;
}

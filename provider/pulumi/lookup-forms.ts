/** The forms of a lookup for programs: a plain function that reads at once, and one that takes and gives outputs. */
import * as pulumi from "@pulumi/pulumi";
import { Account } from "../account/account.ts";
import { patienceIn } from "../account/presence.ts";
import { ApiError, type LandformApi } from "../api/index.ts";
import { leadToGuide } from "../messages/failures.ts";
import { LookupError } from "../definition/collection.ts";
import { type LookupAccount, lookupConfig } from "./settings-in-force.ts";

export interface LookupOptions {
  /** Another account than the program's: the arguments of {@link Account}, as plain values. */
  readonly account?: LookupAccount | undefined;
}

const clients = new Map<string, LandformApi>();

/** The client for an account, made once a process. */
export function clientFor({ account }: LookupOptions = {}): LandformApi {
  const name = JSON.stringify(account ?? null);
  const known = clients.get(name);
  if (known) return known;
  const stack = new pulumi.Config("landform");
  const config = lookupConfig(process.env, (setting) => stack.get(setting), account);
  const { api } = new Account(config, patienceIn(process.env));
  clients.set(name, api);
  return api;
}

type Lookup<Args, Result> = (api: LandformApi, args: Args) => Promise<Result>;
/** A lookup that returns everything if it gets no arguments. */
type ListLookup<Args, Result> = (api: LandformApi, args?: Args) => Promise<Result>;
type Wrapped<Args> = Args extends unknown ? { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> } : never;

/** Makes errors lead to the guide. Node prints an error that ends the program with its message and its own properties. */
export async function guided<Result>(
  work: (api: LandformApi) => Promise<Result>,
  options: LookupOptions | undefined,
): Promise<Result> {
  try {
    return await work(clientFor(options));
  } catch (error) {
    if (error instanceof ApiError || error instanceof LookupError) {
      leadToGuide(error);
      for (const name of Object.keys(error)) Object.defineProperty(error, name, { enumerable: false });
    }
    throw error;
  }
}

export const plain =
  <Args, Result>(lookup: Lookup<Args, Result>) =>
  (args: Args, options?: LookupOptions): Promise<Result> =>
    guided((api) => lookup(api, args), options);

export const output =
  <Args, Result>(lookup: Lookup<Args, Result>) =>
  (args: Wrapped<Args>, options?: LookupOptions): pulumi.Output<Result> =>
    (pulumi.output(args) as unknown as pulumi.Output<Args>).apply((known) => plain(lookup)(known, options));

export const plainList =
  <Args extends object, Result>(lookup: ListLookup<Args, Result>) =>
  (args?: Args, options?: LookupOptions): Promise<Result> =>
    guided((api) => lookup(api, args), options);

export const outputList =
  <Args extends object, Result>(lookup: ListLookup<Args, Result>) =>
  (args?: Wrapped<Args>, options?: LookupOptions): pulumi.Output<Result> =>
    output((api: LandformApi, known?: Args) => lookup(api, known))(args, options);

import { createHash, randomBytes } from "node:crypto";
import ipaddr from "ipaddr.js";
import { loadContract } from "./contract.ts";
import { Refusal } from "./errors.ts";
import type { KeyRecord } from "../records/records.ts";
import type { Collection } from "../records/store.ts";

/** A key may have any scope that an operation asks for. */
export const scopes: readonly string[] = [
  ...new Set(loadContract().operations.flatMap((operation) => operation.scopes)),
];

export interface KeyOptions {
  /** Every scope, unless given. */
  scopes?: readonly string[];
  /** The time from which it gets 401. Never, unless given. */
  expiresAt?: string | Date;
  /** Exact IPv4 addresses or CIDR blocks. Empty allows any address. */
  allowIps?: readonly string[];
}

/** The API keys of the account: they tell the caller and its rights. */
export class Keys {
  readonly #keys: Collection<KeyRecord>;

  constructor(keys: Collection<KeyRecord>) {
    this.#keys = keys;
  }

  create(options: KeyOptions = {}): string {
    const key = `lfk_${randomBytes(24).toString("hex")}`;
    const unknown = options.scopes?.find((scope) => !scopes.includes(scope));
    if (unknown !== undefined) throw new Error(`There is no scope "${unknown}". The scopes are ${scopes.join(", ")}.`);
    const block = options.allowIps?.find((entry) => parseBlock(entry) === undefined);
    if (block !== undefined) throw new Error(`"${block}" is neither an IPv4 address nor an IPv4 CIDR block.`);
    this.#keys.put({
      id: digest(key),
      scopes: [...(options.scopes ?? scopes)],
      expiresAt: options.expiresAt === undefined ? null : new Date(options.expiresAt).toISOString(),
      allowIps: [...(options.allowIps ?? [])],
      revoked: false,
    });
    return key;
  }

  revoke(key: string): void {
    const record = this.#keys.get(digest(key));
    if (record === undefined) throw new Error("There is no such key to revoke.");
    this.#keys.put({ ...record, revoked: true });
  }

  /** Returns the key of a call, or throws a 401. */
  authenticate(authorization: string | undefined): KeyRecord {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    if (key === undefined) {
      throw unauthorized("The call carries no API key. Send it in the header Authorization: Bearer <API_KEY>.");
    }
    const record = this.#keys.get(digest(key));
    if (record === undefined) throw unauthorized("The API key is not known. Send the full key, not its prefix.");
    if (record.revoked) throw unauthorized("The API key has been revoked. Create another one.");
    if (record.expiresAt !== null && Date.parse(record.expiresAt) <= Date.now()) {
      throw unauthorized(`The API key expired at ${record.expiresAt}. Create another one.`);
    }
    return record;
  }
}

/** Refuses a caller outside the key's allow list, and a key that has none of the scopes. */
export function authorize(key: KeyRecord, address: string, anyOf: readonly string[]): void {
  if (key.allowIps.length > 0 && !key.allowIps.some((block) => contains(block, address))) {
    throw new Refusal("forbidden", `The API key may not be used from ${address}: the address is not in its IP list.`);
  }
  if (anyOf.length === 0 || anyOf.some((scope) => key.scopes.includes(scope))) return;
  const needed = anyOf.length === 1 ? `the scope ${anyOf[0] ?? ""}` : `any of the scopes ${anyOf.join(", ")}`;
  throw new Refusal("forbidden", `The API key lacks what this call needs: ${needed}.`);
}

function unauthorized(message: string): Refusal {
  return new Refusal("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function parseBlock(block: string): [ipaddr.IPv4, number] | undefined {
  if (ipaddr.IPv4.isValidCIDR(block)) return ipaddr.IPv4.parseCIDR(block);
  return ipaddr.IPv4.isValidFourPartDecimal(block) ? [ipaddr.IPv4.parse(block), 32] : undefined;
}

function contains(block: string, address: string): boolean {
  const parsed = parseBlock(block);
  const caller = ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
  return parsed !== undefined && caller instanceof ipaddr.IPv4 && caller.match(...parsed);
}

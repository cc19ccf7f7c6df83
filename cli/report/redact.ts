/** Takes secrets out of everything that is shown or written. */
import { SECRET } from "./model.ts";

/** Shorter ones would blot out half of every text. */
const SHORTEST = 4;

export class Redactor {
  #secrets: string[] = [];

  constructor(secrets: Iterable<string | undefined>) {
    this.learn(secrets);
  }

  /** Takes these out, too, from now on. */
  learn(secrets: Iterable<string | undefined>): void {
    const known = [...secrets].filter((secret) => secret !== undefined && secret.length >= SHORTEST) as string[];
    // A secret may contain another, or stand in a URL or in JSON.
    const spelled = known.flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
    ]);
    this.#secrets = [...new Set([...this.#secrets, ...spelled])].sort((a, b) => b.length - a.length);
  }

  readonly text = (text: string): string => {
    return this.#secrets.reduce((result, secret) => result.replaceAll(secret, SECRET), text);
  };

  /** In place. The message of an error of the platform, such as a call that took too long, is none of its own properties. */
  error(error: Error): void {
    const value = this.text(error.message);
    Object.defineProperty(error, "message", { value, configurable: true, writable: true });
  }

  /** The same for every text in a value, keys included. */
  value<T>(value: T): T {
    return JSON.parse(this.#json(value)) as T;
  }

  #json(value: unknown): string {
    return JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner === "string") return this.text(inner);
      if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
      return Object.fromEntries(Object.entries(inner).map(([key, item]) => [this.text(key), item as unknown]));
    });
  }
}

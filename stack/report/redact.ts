/** Removes secrets from everything that is shown or written. */
import { SECRET } from "./model.ts";
import { mapTexts } from "./printable.ts";

/** Shorter secrets would hide half of every text. */
const SHORTEST = 4;

export class Redactor {
  #secrets: string[] = [];

  constructor(secrets: Iterable<string | undefined>) {
    this.learn(secrets);
  }

  /** Removes these, too, from now on. */
  learn(secrets: Iterable<string | undefined>): void {
    const known = [...secrets].filter((secret) => secret !== undefined && secret.length >= SHORTEST) as string[];
    // A secret may contain another.
    const spelled = known.flatMap(spellingsOf);
    this.#secrets = [...new Set([...this.#secrets, ...spelled])].sort((a, b) => b.length - a.length);
  }

  readonly text = (text: string): string => {
    return this.#secrets.reduce((result, secret) => result.replaceAll(secret, SECRET), text);
  };

  /** Changes the error itself. The message of a platform error, such as a timeout, is not its own property. */
  error(error: Error): void {
    const value = this.text(error.message);
    Object.defineProperty(error, "message", { value, writable: true });
  }

  /** Does the same for every text in a JSON value, except for the texts that identify a resource. */
  value<T>(value: T): T {
    return mapTexts(value, this.text, (one) =>
      "urn" in one && typeof one.urn === "string" && one.urn.startsWith("urn:pulumi:") ? IDENTITY : NOTHING,
    );
  }
}

/** Every state has these openly. A secret with the same text must not change the resource that they name. */
const IDENTITY: ReadonlySet<string> = new Set(["urn", "type", "name", "id"]);
const NOTHING: ReadonlySet<string> = new Set();

/** The spellings of a secret in a URL, in JSON, and in a header that a service quotes. */
function spellingsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encodingsOf(Buffer.from(secret))];
}

/** Shorter texts occur by chance. */
const SHORTEST_ENCODED = 12;

function encodingsOf(secret: Buffer): string[] {
  const base64 = [0, 1, 2].map((before) => withinBase64(secret, before));
  const forUrls = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const all = [secret.toString("hex"), ...base64, ...forUrls];
  return all.filter((text) => text.length >= SHORTEST_ENCODED);
}

/** Returns the part of its base64 that doesn't depend on the surrounding text, with `before` bytes before the secret. */
function withinBase64(secret: Buffer, before: number): string {
  const bits = (before + secret.length) * 8;
  const text = Buffer.concat([Buffer.alloc(before), secret]).toString("base64");
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
}

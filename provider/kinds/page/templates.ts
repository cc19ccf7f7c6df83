/**
 * The templates that a run makes pages from. No call shows the content keys of a template, so that the first page of each goes ahead: a key
 * that it lacks fails the others before they are made, and one draft is left in place of many.
 */
import { ApplyError } from "../../messages/errors.ts";
import { type JsonMap, mapOf } from "../../values/json.ts";

interface First {
  /** The keys of its content that it lacks. */
  readonly missing: Promise<readonly string[]>;
  readonly tell: (missing: readonly string[]) => void;
}

export class Templates {
  readonly #first = new Map<string, First>();

  /** Returns the function that ends the turn. */
  async inTurn({ templateId, content }: JsonMap): Promise<() => void> {
    const keys = Object.keys(mapOf(content));
    if (typeof templateId !== "string" || keys.length === 0) return () => undefined;
    const first = this.#first.get(templateId);
    if (first === undefined) {
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      this.#first.set(templateId, { missing: promise, tell: resolve });
      return () => {
        resolve([]);
      };
    }
    const missing = (await first.missing).filter((key) => keys.includes(key));
    if (missing.length > 0) throw new ApplyError(missingText(templateId, missing));
    return () => undefined;
  }

  /** Lets the others go on: a page of the template has its content, but for these keys. */
  tell(templateId: string, missing: readonly string[]): void {
    this.#first.get(templateId)?.tell(missing);
  }
}

function missingText(templateId: string, missing: readonly string[]): string {
  const keys = missing.map((key) => JSON.stringify(key)).join(", ");
  return `content: ${templateId} has no field ${keys}, as the first page shows that this run made from it. Nothing was made. ${probesAgain(templateId)}`;
}

export function probesAgain(templateId: string): string {
  return `npx landform templates keys ${templateId} --probe reads the template's keys again.`;
}

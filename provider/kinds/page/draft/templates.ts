/**
 * The templates that a run makes pages from. No call shows the content keys and the placeholders of a template, so the first page of each
 * template goes ahead. If it lacks a key, the run removes it again. If a placeholder keeps it from being published, it stays a draft. In
 * both cases the other pages fail before they are made.
 */
import type { PageDocument } from "../document/document.ts";
import { landform } from "../../../values/command-line.ts";
import { ApplyError } from "../../../messages/errors.ts";
import { type JsonMap, mapOf } from "../../../values/json.ts";
import { placeholdersIn } from "../../../values/placeholders.ts";

interface Faults {
  /** Content keys that the code declares and the page lacks. */
  readonly missing?: readonly string[];
  /** The placeholders without a value that keep it a draft. */
  readonly open?: readonly string[];
}

interface First {
  readonly inputs: JsonMap;
  readonly faults: Promise<Faults>;
  readonly tell: (faults: Faults) => void;
}

type Texts = PageDocument["fields"];

export class Templates {
  readonly #first = new Map<string, First>();
  readonly #texts = new Map<string, Promise<Texts>>();

  /** Returns the texts of a page that was just made from the template. One read serves all pages of a template. */
  textsOf(templateId: string, read: () => Promise<Texts>): Promise<Texts> {
    const texts =
      this.#texts.get(templateId) ??
      read().catch((error: unknown) => {
        this.#texts.delete(templateId);
        throw error;
      });
    this.#texts.set(templateId, texts);
    return texts;
  }

  /** Returns the function that ends the turn. */
  async inTurn(inputs: JsonMap): Promise<() => void> {
    const { templateId, content, publish } = inputs;
    const keys = Object.keys(mapOf(content));
    if (typeof templateId !== "string" || (keys.length === 0 && publish === undefined)) return () => undefined;
    const first = this.#first.get(templateId);
    if (first === undefined) {
      const { promise: faults, resolve: tell } = Promise.withResolvers<Faults>();
      this.#first.set(templateId, { inputs, faults, tell });
      return () => {
        tell({});
      };
    }
    const { missing = [], open = [] } = await first.faults;
    const lacking = missing.filter((key) => keys.includes(key));
    if (lacking.length > 0) throw new ApplyError(missingText(templateId, lacking));
    const left = open.filter((name) => staysOpen(name, inputs, first.inputs));
    if (left.length > 0) throw new ApplyError(openText(templateId, left));
    return () => undefined;
  }

  /** Lets the others go on: the first page has its content, or is ready to be published, except for these faults. */
  tell(templateId: string, faults: Faults): void {
    this.#first.get(templateId)?.tell(faults);
  }
}

/** Tells if a placeholder of the template that stayed on the first page stays on this page, too, because nothing fills or replaces it. */
function staysOpen(name: string, { publish, variables, content, nodes }: JsonMap, first: JsonMap): boolean {
  const texts = mapOf(first["content"]);
  const isOfTemplate = !Object.values(texts).flatMap(placeholdersIn).includes(name);
  const writesMore = nodes !== undefined || Object.keys(mapOf(content)).some((key) => !Object.hasOwn(texts, key));
  return publish !== undefined && isOfTemplate && !writesMore && !Object.hasOwn(mapOf(variables), name);
}

function missingText(templateId: string, missing: readonly string[]): string {
  const keys = missing.map((key) => JSON.stringify(key)).join(", ");
  return `content: ${templateId} has no content key ${keys}: the first page that this run made from it shows that. Nothing was made. ${probesAgain(templateId)}`;
}

function openText(templateId: string, open: readonly string[]): string {
  const names = open.map((name) => `{{${name}}}`).join(", ");
  return `publish: ${templateId} holds ${names} without a value: the first page that this run made from it shows that. Nothing was made. Give ${open.length === 1 ? "it a value" : "these a value"} under variables.`;
}

export function probesAgain(templateId: string): string {
  return `${landform("templates keys", templateId, "--probe")} reads the template's keys again.`;
}

/** Generates the lookups of all kinds that the service lists, in both forms: with the client, and for programs. */
import type { z } from "zod";
import type { Collection } from "../../provider/definition/collection.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { shapeOf } from "../../provider/definition/schema-walk.ts";
import { jsDoc, leafType } from "./classes.ts";

const NOTICE =
  'Generated from provider/kinds/registry.ts by "npm run generate"; a change belongs into the collection of the kind.';

interface Lookup {
  readonly kind: string;
  readonly one: string;
  readonly many: string;
  readonly collection: Collection;
}

function lookups(): Lookup[] {
  return Object.entries(registry).flatMap(([kind, { lookup }]: [string, AnyDefinition]) =>
    lookup ? [{ kind, one: pascal(lookup.what), many: pascal(lookup.plural), collection: lookup }] : [],
  );
}

export function lookupsSource(): string {
  return [
    `/** ${NOTICE} */`,
    'import { registry } from "../kinds/registry.ts";',
    'import { listOf, oneOf } from "./find.ts";',
    "",
    ...lookups().map(lookupSource),
  ].join("\n");
}

function lookupSource({ kind, one, many, collection }: Lookup): string {
  const { what, plural, filters } = collection;
  const fields = Object.entries<z.ZodType>(filters.shape);
  const members = fields.map(
    ([name, schema]) => `${jsDoc(schema.description ?? "")}readonly ${name}?: ${leafType(shapeOf(schema))};`,
  );
  const query = members.length === 0 ? "object" : `${one}Query`;
  return [
    ...(members.length === 0 ? [] : [`export interface ${query} {`, ...members, "}", ""]),
    `/** ${collection.doc ?? `One ${what}, by its id or its name.`} */`,
    `export const get${one} = oneOf(registry.${kind});`,
    `/** ${listDoc(collection, `All ${plural}`)} */`,
    `export const list${many} = listOf<${query}, typeof registry.${kind}.lookup>(registry.${kind});`,
    "",
  ].join("\n");
}

export function programLookupsSource(): string {
  return [
    `/** ${NOTICE} */`,
    'import * as lookups from "../lookups/kinds.ts";',
    'import { output, outputList, plain, plainList } from "./lookup-forms.ts";',
    "",
    ...lookups().flatMap(({ one, many, collection }) => {
      const { what, plural } = collection;
      const [oneDoc, listText] = [
        `/** One ${what}, by its id or its exact name. */`,
        listDoc(collection, `All ${plural}`),
      ];
      return [
        oneDoc,
        `export const get${one} = plain(lookups.get${one});`,
        oneDoc,
        `export const get${one}Output = output(lookups.get${one});`,
        `/** ${listText} */`,
        `export const list${many} = plainList(lookups.list${many});`,
        `/** ${listText} */`,
        `export const list${many}Output = outputList(lookups.list${many});`,
      ];
    }),
    "",
  ].join("\n");
}

function listDoc({ filters, capped }: Collection, all: string): string {
  const some =
    Object.keys(filters.shape).length === 0 ? "or the first `limit`" : "or those that the filter lets through";
  return `${all}, ${some}.${capped === undefined ? "" : ` ${capped}`}`;
}

function pascal(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

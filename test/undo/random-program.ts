/** Random programs for undos, and a person's edits between two of them. */
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { editInApp, inTheApp, publishInApp } from "../suite/app.ts";
import type { Entry } from "../walk/program.ts";
import type { Declared, UndoDesk } from "./desk.ts";

/** Makes numbers that only depend on the seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = numbers(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  }
}

const KEYS = ["hero.title", "hero.text", "hero.note", "hero.cta.text"];
const TEXTS = ["One", "Zwei ß", "Трí 🎈", "line\nline", "{{brand}} first", ""];

function page(dice: Dice, index: number): Entry {
  const content = Object.fromEntries(
    KEYS.filter(() => dice.chance(0.5)).map((key): [string, Json] => [key, dice.of(TEXTS)]),
  );
  const publish = { site: "main", slug: `p${index}${dice.of(["", "-b"])}` };
  return {
    ...{ name: `${dice.of(["Page", "Seite"])}${index}`, template: "tpl-hero", content },
    ...{ variables: { brand: dice.of(["Acme", "Zenith"]) }, publish },
  };
}

function product(dice: Dice, index: number): Entry {
  const made: Entry = { name: `m${index}`, price: dice.below(3) + 1 };
  if (dice.chance(0.5)) made.description = dice.of(TEXTS.slice(0, 3));
  if (dice.chance(0.5)) made["ctaText"] = dice.of(["Buy", "Kaufen"]);
  return made;
}

export function program(dice: Dice): Declared {
  const pages = Object.fromEntries(
    [0, 1, 2].filter(() => dice.chance(0.7)).map((index) => [`p${index}`, page(dice, index)]),
  );
  const products = Object.fromEntries(
    [0, 1].filter(() => dice.chance(0.7)).map((index) => [`m${index}`, product(dice, index)]),
  );
  const steps = Object.keys(pages)
    .filter(() => dice.chance(0.7))
    .map((name) => ({ page: name, pageType: dice.of(["presell", "sales"]) }));
  const funnels: Declared["funnels"] = dice.chance(0.8) ? { f: { steps } } : {};
  return { sites: { main: { name: "random.example" } }, pages, products, funnels };
}

/** Edits undeclared values as a person does in the app. The edit is published before the next run. */
export async function editByHand(dice: Dice, world: UndoDesk): Promise<void> {
  for (const { type, id, outputs, inputs } of world.states) {
    if (!dice.chance(0.4)) continue;
    if (type.endsWith(":Product"))
      await inTheApp<unknown>(world, "PATCH", "/products", { product_id: id, sku: `S-${dice.below(9)}` });
    if (!type.endsWith(":Page")) continue;
    const declared = Object.keys((inputs["content"] ?? {}) as JsonMap);
    const free = KEYS.filter((key) => !declared.includes(key));
    if (free.length === 0) continue;
    await editInApp(world, id, { [dice.of(free)]: `By hand ${dice.below(9)}` });
    const { siteId, slug } = outputs as { siteId: string; slug: string };
    await publishInApp(world, id, { siteId, slug });
  }
}

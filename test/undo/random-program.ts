/** Random programs for undos, and a person's edits between two of them. */
import type { Emulator } from "../../emulator/index.ts";
import type { ResourceState } from "../../engine/index.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { editInApp, inTheApp, publishInApp } from "../suite/app.ts";
import type { Declared } from "./world.ts";

export interface World {
  readonly emulator: Emulator;
  readonly states: readonly ResourceState[];
}

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

const SITE: Declared = { kind: "site", name: "random.example", inputs: {} };
const KEYS = ["hero.title", "hero.text", "hero.note", "hero.cta.text"];
const TEXTS = ["One", "Zwei ß", "Трí 🎈", "line\nline", "{{brand}} first", ""];

function page(dice: Dice, index: number): Declared {
  const content = Object.fromEntries(
    KEYS.filter(() => dice.chance(0.5)).map((key): [string, Json] => [key, dice.of(TEXTS)]),
  );
  const publish: JsonMap = { siteId: { ref: "site/random.example" }, slug: `p${index}${dice.of(["", "-b"])}` };
  return {
    kind: "page",
    name: `p${index}`,
    inputs: {
      ...{ name: `${dice.of(["Page", "Seite"])}${index}`, templateId: "tpl-hero", content },
      ...{ variables: { brand: dice.of(["Acme", "Zenith"]) }, publish },
    },
  };
}

function product(dice: Dice, index: number): Declared {
  const inputs: JsonMap = { name: `m${index}`, price: dice.below(3) + 1 };
  if (dice.chance(0.5)) inputs["description"] = dice.of(TEXTS.slice(0, 3));
  if (dice.chance(0.5)) inputs["ctaText"] = dice.of(["Buy", "Kaufen"]);
  return { kind: "product", name: `m${index}`, inputs };
}

export function program(dice: Dice): Declared[] {
  const pages = [0, 1, 2].filter(() => dice.chance(0.7)).map((index) => page(dice, index));
  const products = [0, 1].filter(() => dice.chance(0.7)).map((index) => product(dice, index));
  const steps = pages
    .filter(() => dice.chance(0.7))
    .map(({ name }): Json => ({ pageId: { ref: `page/${name}` }, pageType: dice.of(["presell", "sales"]) }));
  const funnels: Declared[] = dice.chance(0.8) ? [{ kind: "funnel", name: "f", inputs: { steps } }] : [];
  return [SITE, ...pages, ...products, ...funnels];
}

/** Edits undeclared values as a person does in the app. The edit is published before the next run. */
export async function editByHand(dice: Dice, world: World): Promise<void> {
  for (const { type, id, outputs, inputs } of world.states) {
    if (!dice.chance(0.4)) continue;
    if (type.endsWith(":Product"))
      await inTheApp<unknown>(world, "PATCH", "/products", { product_id: id, sku: `S-${dice.below(9)}` });
    if (!type.endsWith(":Page")) continue;
    const declared = Object.keys((inputs?.["content"] ?? {}) as JsonMap);
    const free = KEYS.filter((key) => !declared.includes(key));
    if (free.length === 0) continue;
    await editInApp(world, id, { [dice.of(free)]: `By hand ${dice.below(9)}` });
    const { siteId, slug } = outputs as { siteId: string; slug: string };
    await publishInApp(world, id, { siteId, slug });
  }
}

/**
 * Where the inputs of an entry stand. Of the rows of one entry all of it is the same but where their data stands, and that is
 * what each row keeps: of thousands, the whole would be most of what a manifest takes.
 */
import type { Place } from "../source/file.ts";
import type { Spot, Spots } from "./model.ts";

/** What the rows of an entry have in common of one input. */
interface Common {
  /** Its place among the others. */
  readonly at: number;
  readonly place: Place;
  /** What the manifest calls it, after the address. */
  readonly rest: string;
}

type Pattern = ReadonlyMap<string, Common>;

/** Where the data of one input stands; one place, as nearly all have, without a list around it. */
type From = Place | readonly Place[] | undefined;

export class SharedSpots {
  readonly #patterns = new Map<string, Pattern>();

  /** `of`: what the rows of one entry have in common. */
  shared(of: string, address: string, spots: ReadonlyMap<string, Spot>): Spots {
    const pattern = this.#patterns.get(of) ?? patternOf(spots, address);
    this.#patterns.set(of, pattern);
    return follows(spots, pattern, address) ? new RowSpots(pattern, address, [...spots.values()].map(fromOf)) : spots;
  }
}

class RowSpots implements Spots {
  readonly #pattern: Pattern;
  readonly #address: string;
  readonly #from: readonly From[];

  constructor(pattern: Pattern, address: string, from: readonly From[]) {
    this.#pattern = pattern;
    this.#address = address;
    this.#from = from;
  }

  has(input: string): boolean {
    return this.#pattern.has(input);
  }

  get(input: string): Spot | undefined {
    const common = this.#pattern.get(input);
    return common && this.#spot(common);
  }

  *[Symbol.iterator](): Generator<[string, Spot]> {
    for (const [input, common] of this.#pattern) yield [input, this.#spot(common)];
  }

  #spot({ at, place, rest }: Common): Spot {
    const from = this.#from[at];
    const spot = { place, path: this.#address + rest };
    if (from === undefined) return spot;
    return { ...spot, from: "file" in from ? [from] : from };
  }
}

function patternOf(spots: ReadonlyMap<string, Spot>, address: string): Pattern {
  const inputs = [...spots].map(([input, { place, path }], at) => {
    return [input, { at, place, rest: path.slice(address.length) }] as const;
  });
  return new Map(inputs);
}

/** The values of files stand elsewhere in each row. */
function follows(spots: ReadonlyMap<string, Spot>, pattern: Pattern, address: string): boolean {
  if (spots.size !== pattern.size) return false;
  let at = 0;
  for (const [input, { place, path, by, over }] of spots) {
    const common = pattern.get(input);
    if (common?.at !== at++ || by !== undefined || over !== undefined) return false;
    if (!isSamePlace(place, common.place) || path !== address + common.rest) return false;
  }
  return true;
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.file === other.file && one.start === other.start && one.end === other.end;
}

function fromOf({ from }: Spot): From {
  return from?.length === 1 ? from[0] : from;
}

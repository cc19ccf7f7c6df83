/**
 * Makes the outputs of a resource when they are first read. The SDK makes an output for each property of each resource, with a dozen promises each,
 * and nobody reads most of them. For a thousand resources of twenty properties that is half of a program's work and memory.
 */

type Resolver = (value: unknown, isKnown: boolean, isSecret: boolean, dependencies?: unknown[], error?: Error) => void;
type Resolvers = Record<string, Resolver>;
type Values = Record<string, unknown>;

/** The SDK's `transferProperties`: gives a resource an output for each property, and returns their resolvers. */
type Transfer = (onto: Values, label: string, props: Values) => Resolvers;

/** Resources whose properties may still be functions. */
const withLazy = new Set<Values>();
let isLazy = true;

export function lazyOutputs(transfer: Transfer): Transfer {
  return (onto, label, props) => {
    const names = Object.keys(props).filter((name) => name !== "id" && name !== "urn");
    // The SDK refuses in its own words, and a property that a class already has is set as the class expects.
    if (!isLazy || names.some((name) => name in onto)) return transfer(onto, label, props);
    withLazy.add(onto);
    return Object.fromEntries(names.map((name) => [name, lazyOutput(transfer, onto, label, name, props[name])]));
  };
}

function lazyOutput(transfer: Transfer, onto: Values, label: string, name: string, prop: unknown): Resolver {
  let told: Parameters<Resolver> | undefined;
  let made: { output: unknown; resolve: Resolver } | undefined;
  const make = (): NonNullable<typeof made> => {
    if (made !== undefined) return made;
    made = outputOf(transfer, onto, label, name, prop);
    if (told !== undefined) made.resolve(...told);
    return made;
  };
  const set = (value: unknown): void => void Object.defineProperty(onto, name, { ...PLAIN, value });
  Object.defineProperty(onto, name, { configurable: true, enumerable: true, get: () => make().output, set });
  return (...results) => {
    const [, , , , error] = results;
    // Only the output itself reports its failure, so it must be made.
    if (made !== undefined || error !== undefined) make().resolve(...results);
    else told = results;
  };
}

/** Makes one output without touching the resource, which may be frozen by now and keeps its order. An output accepts a set of resources. */
function outputOf(
  transfer: Transfer,
  onto: Values,
  label: string,
  name: string,
  prop: unknown,
): { output: unknown; resolve: Resolver } {
  let output: unknown;
  const holder = new Proxy(new Set([onto]), {
    get: (set, key) => {
      const part: unknown = Reflect.get(set, key, set);
      return typeof part === "function" ? (part.bind(set) as unknown) : part;
    },
    set: (_, __, value) => {
      output = value;
      return true;
    },
  });
  const resolve = transfer(holder as unknown as Values, label, { [name]: prop })[name] as Resolver;
  return { output, resolve };
}

/** Wraps the function that serializes functions with all that they hold: from its first call on, it must find outputs as the SDK makes them. */
export function plainOutputs<Given extends unknown[], Result>(
  serialize: (...given: Given) => Result,
): (...given: Given) => Result {
  return (...given) => {
    isLazy = false;
    for (const resource of withLazy) makePlain(resource);
    withLazy.clear();
    return serialize(...given);
  };
}

/** Also replaces a value that has taken the place of one of ours. */
function makePlain(resource: Values): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(resource)))
    if (property.get !== undefined && property.configurable === true)
      Object.defineProperty(resource, name, { ...PLAIN, value: resource[name] });
}

export function mustBePlain(): boolean {
  return !isLazy;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

/**
 * The outputs of a resource as properties that are made when they are first asked for. The SDK makes an output for each
 * property of each resource, with a dozen promises each, and most are never looked at: with a thousand resources of twenty
 * properties that is half of a program's work, and of its memory.
 */

/** The SDK's: what tells a property what became of it. */
type Resolver = (value: unknown, isKnown: boolean, isSecret: boolean, dependencies?: unknown[], error?: Error) => void;
type Resolvers = Record<string, Resolver>;
type Values = Record<string, unknown>;

/** The SDK's `transferProperties`: gives a resource an output for each property, and tells how each is resolved. */
type Transfer = (onto: Values, label: string, props: Values) => Resolvers;

/** Resources with properties that may still be functions. */
const withLazy = new Set<Values>();
let isLazy = true;

export function lazyOutputs(transfer: Transfer): Transfer {
  return (onto, label, props) => {
    const names = Object.keys(props).filter((name) => name !== "id" && name !== "urn");
    // What the SDK refuses it refuses in its own words, and what a class has for it is set as a class expects it.
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
    // An output that fails is told by nobody else, so it is made to fail.
    if (made !== undefined || error !== undefined) make().resolve(...results);
    else told = results;
  };
}

/** The resource itself is not touched: it may be frozen by now, and its properties keep their order. An output takes a set of resources, too. */
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

/**
 * Around what writes down functions with all that they hold, property by property: from the first on it finds outputs, as the SDK
 * makes them, and no functions that would make some.
 */
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

/** Also what stands in place of one of ours by now. */
function makePlain(resource: Values): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(resource)))
    if (property.get !== undefined && property.configurable === true)
      Object.defineProperty(resource, name, { ...PLAIN, value: resource[name] });
}

/** Whether properties have to be plain from the start. */
export function mustBePlain(): boolean {
  return !isLazy;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

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

/** Those that nobody has asked for yet. */
const unmade = new Set<() => unknown>();
let isLazy = true;

export function lazyOutputs(transfer: Transfer): Transfer {
  return (onto, label, props) => {
    if (!isLazy) return transfer(onto, label, props);
    const names = Object.keys(props).filter((name) => name !== "id" && name !== "urn");
    // What the SDK refuses it refuses in its own words.
    if (names.some((name) => Object.hasOwn(onto, name))) return transfer(onto, label, props);
    return Object.fromEntries(names.map((name) => [name, lazyOutput(transfer, onto, label, name, props[name])]));
  };
}

function lazyOutput(transfer: Transfer, onto: Values, label: string, name: string, prop: unknown): Resolver {
  let told: Parameters<Resolver> | undefined;
  let made: { output: unknown; resolve: Resolver } | undefined;
  const make = (): NonNullable<typeof made> => {
    if (made !== undefined) return made;
    const here = Object.getOwnPropertyDescriptor(onto, name);
    Reflect.deleteProperty(onto, name);
    const resolve = transfer(onto, label, { [name]: prop })[name] as Resolver;
    made = { output: onto[name], resolve };
    unmade.delete(make);
    // Somebody may have put something else in its place meanwhile.
    if (here !== undefined && here.get !== get) Object.defineProperty(onto, name, here);
    if (told !== undefined) resolve(...told);
    return made;
  };
  const get = (): unknown => make().output;
  const set = (value: unknown): void => void Object.defineProperty(onto, name, { ...PLAIN, value });
  Object.defineProperty(onto, name, { configurable: true, enumerable: true, get, set });
  unmade.add(make);
  return (...results) => {
    const [, , , , error] = results;
    // An output that fails is told by nobody else, so it is made to fail.
    if (made !== undefined || error !== undefined) make().resolve(...results);
    else told = results;
  };
}

/** Around what writes down functions with all that they hold, property by property: it finds, and makes of them, what it would. */
export function plainOutputs<Given extends unknown[], Result>(
  serialize: (...given: Given) => Result,
): (...given: Given) => Result {
  return (...given) => {
    isLazy = false;
    for (const make of unmade) make();
    return serialize(...given);
  };
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

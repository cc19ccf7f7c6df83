/** Things that tests open and close: one for each test of a block, one for all of them, or one in the test that is running. */
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from "vitest";

interface Closable {
  close(): unknown;
}

export const forEachTest = <Thing extends Closable>(open: () => Thing | Promise<Thing>): Thing =>
  standIn(open, beforeEach, afterEach);

export const forAllTests = <Thing extends Closable>(open: () => Thing | Promise<Thing>): Thing =>
  standIn(open, beforeAll, afterAll);

/** Closes it at the end of the running test. */
export async function inTest<Thing extends Closable>(opening: Thing | Promise<Thing>): Promise<Thing> {
  const thing = await opening;
  onTestFinished(async () => {
    await thing.close();
  });
  return thing;
}

type Hook = (work: () => unknown) => void;

/** Returns what stands for the one that is open. */
function standIn<Thing extends Closable>(open: () => Thing | Promise<Thing>, before: Hook, after: Hook): Thing {
  let thing: Thing | undefined;
  const isOpen = (): Thing => {
    if (thing === undefined) throw new Error("it is opened before a test, and not while tests are collected");
    return thing;
  };
  before(async () => void (thing = await open()));
  after(async () => {
    await thing?.close();
    thing = undefined;
  });
  return new Proxy({} as Thing, {
    get: (_, name) => {
      const value: unknown = Reflect.get(isOpen(), name);
      return typeof value === "function" ? (value.bind(isOpen()) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(isOpen(), name, value),
    has: (_, name) => Reflect.has(isOpen(), name),
  });
}

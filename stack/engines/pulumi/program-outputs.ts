/** What a program's module exports as the stack's outputs, as Pulumi's own language host has it (cmd/run of the SDK, 3.270). Pure. */

/** Node's name for what `require` gives of a CommonJS module, among what `import()` gives of it (Node 23 and later). */
const REQUIRED = "module.exports";

/** The outputs, or a function that makes them. */
export function exportOf(module: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(module, REQUIRED)) return module[REQUIRED];
  if (!Object.hasOwn(module, "default")) return module;
  const { default: main, ...named } = module;
  // Before Node 23 a CommonJS module is its default, and what it exports by name stands there as well.
  const isRequired = Object.entries(named).every(
    ([name, value]) => Reflect.get(Object(main) as object, name) === value,
  );
  if (!isRequired) throw new Error("the program has either a default export or named exports but not both");
  return main;
}

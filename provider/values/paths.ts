/** Where in the inputs of a resource something stands: a list of keys and indexes until it is shown to somebody. */
export type Path = readonly (string | number)[];

/** A path as Pulumi writes it: publish.slug, steps[2].pageType, content["hero.title"]. */
export function propertyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number" || /^\d+$/.test(String(step))) return `${text}[${String(step)}]`;
    if (!/^[\w$-]+$/.test(String(step))) return `${text}[${JSON.stringify(String(step))}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

/** The path of a zod issue: inputs are JSON, so it holds no symbols. */
export function pathOf(steps: readonly PropertyKey[]): Path {
  return steps.map((step) => (typeof step === "number" ? step : String(step)));
}

/** The value at a path, or undefined where the way ends before it. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((here, step) => {
    const owns = typeof here === "object" && here !== null && Object.hasOwn(here, step);
    return owns ? Reflect.get(here, step) : undefined;
  }, value);
}

const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** A text with placeholders as visitors see it. One that has no value stays. Pure. */
export function rendered(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? "") : whole,
  );
}

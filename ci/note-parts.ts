/** The parts of a note, each behind a line of its own that no text of others can be: those never begin a line. Pure. */

export const PARTS = ["plan", "preview"] as const;
export type Part = (typeof PARTS)[number];
export type Parts = { readonly [part in Part]?: string | undefined };

const START = new RegExp(`^<!-- landform:part:(${PARTS.join("|")}) -->$`);

/** Of a note whose first line is its marker. Before there were parts, a note was the plan. */
export function partsOf(body: string): Parts {
  const [, ...lines] = body.split(/\r?\n/);
  const parts: { [part in Part]?: string } = {};
  let current: Part | undefined;
  for (const line of lines) {
    const named = PARTS.find((part) => part === START.exec(line.trimEnd())?.[1]);
    if (named !== undefined) parts[(current = named)] = "";
    else {
      current ??= "plan";
      parts[current] = `${parts[current] ?? ""}${line}\n`;
    }
  }
  return Object.fromEntries(Object.entries(parts).map(([part, text]) => [part, text.trim()]));
}

export function joined(marker: string, parts: Parts): string {
  const written = PARTS.flatMap((part) => {
    const text = parts[part];
    return text === undefined ? [] : [`<!-- landform:part:${part} -->`, text.trim(), ""];
  });
  return [marker, ...written].join("\n");
}

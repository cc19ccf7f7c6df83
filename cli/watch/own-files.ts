/** Files that change in run after run in which nothing is applied: the program writes them itself. Pure. */

/** So many runs in a row are no accident. */
const RUNS = 3;
/** What a program is written in: a save of it is never passed over, whoever else writes it, too. */
const SOURCE = /\.([cm]?[jt]sx?|ya?ml)$/;

export function isSource(path: string): boolean {
  return SOURCE.test(path);
}

export class OwnFiles {
  readonly #inARow = new Map<string, number>();
  readonly #passedOver = new Set<string>();

  /** Whether a change of it is passed over that came while a run was under way. */
  has(path: string): boolean {
    return this.#passedOver.has(path);
  }

  /** `during`: what has changed while a run was under way. Gives what is to be told of as the program's own. */
  heard(during: readonly string[], { hasApplied }: { hasApplied: boolean }): string[] {
    const counts = hasApplied ? [] : during.map((path) => [path, (this.#inARow.get(path) ?? 0) + 1] as const);
    this.#inARow.clear();
    for (const [path, count] of counts) this.#inARow.set(path, count);
    const found = counts.flatMap(([path, count]) => (count === RUNS && !this.has(path) ? [path] : []));
    for (const path of found) if (!isSource(path)) this.#passedOver.add(path);
    return found;
  }
}

export function ownFileText(path: string): string {
  const remedy = isSource(path)
    ? ""
    : " From now on a change of it that comes while a run is under way starts no further one.";
  return (
    `${path} has changed during each of the last ${RUNS} runs, and none of them had anything to apply: the program seems to write it ` +
    `itself.${remedy} What is written into a hidden folder, into dist/ or into a file that ends in .log is never looked at.`
  );
}

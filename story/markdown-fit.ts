/** What fits into a text of limited length: whole pieces, and how many are left out. Nothing is ever cut inside. Pure. */

/** The pieces that fit into `room`, in their order; `left` says how many don't, and has to fit, too. */
export function within(pieces: readonly string[], room: number, left: (count: number) => string): string[] {
  if (sizeOf(pieces) <= room) return [...pieces];
  const kept = fitting(pieces, room - left(pieces.length).length - 1);
  return [...pieces.slice(0, kept), left(pieces.length - kept)];
}

/** The same of pieces that take long to make: those that don't fit aren't made. */
export function madeWithin<Item>(
  items: readonly Item[],
  make: (item: Item) => string,
  room: number,
  left: (count: number) => string,
): string[] {
  const made: string[] = [];
  for (let used = 0; used <= room && made.length < items.length;) {
    const piece = make(items[made.length] as Item);
    made.push(piece);
    used += piece.length + 1;
  }
  const unmade = items.length - made.length;
  return unmade === 0 ? within(made, room, left) : within([...made, ...Array<string>(unmade).fill("")], room, left);
}

/** How many of them fit, from the first on. */
export function fitting(pieces: readonly string[], room: number): number {
  let used = 0;
  const first = pieces.findIndex((piece) => (used += piece.length + 1) > room);
  return first === -1 ? pieces.length : first;
}

/** As lines of a text. */
export function sizeOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length + 1, 0);
}

/** The room of a text, spent by one part after another: what comes first is sure of its share. */
export class Budget {
  readonly whole: number;
  #spent = 0;

  constructor(whole: number) {
    this.whole = whole;
  }

  get left(): number {
    return Math.max(0, this.whole - this.#spent);
  }

  /** The lines of a part that may take up to `share` of the whole. */
  spend(share: number, part: (room: number) => readonly string[]): readonly string[] {
    const lines = part(Math.min(Math.floor(this.whole * share), this.left));
    this.#spent += sizeOf(lines);
    return lines;
  }
}

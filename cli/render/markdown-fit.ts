/** What fits into a text of limited length: whole pieces, and how many are left out. Nothing is ever cut inside. Pure. */

/** The pieces that fit into `room`, in their order; `left` says how many don't, and has to fit, too. */
export function within(pieces: readonly string[], room: number, left: (count: number) => string): string[] {
  const whole = pieces.reduce((sum, piece) => sum + piece.length + 1, 0);
  if (whole <= room) return [...pieces];
  const kept: string[] = [];
  let used = left(pieces.length).length + 1;
  for (const piece of pieces) {
    if (used + piece.length + 1 > room) break;
    kept.push(piece);
    used += piece.length + 1;
  }
  return [...kept, left(pieces.length - kept.length)];
}

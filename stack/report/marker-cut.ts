/** Names that the service cut, and with them the marker: one warning a kind, or one an object. Pure. */
import { markersCutText, type MarkerCut, type Notice } from "../../provider/messages/notices.ts";

export function markerCutWarnings(notices: readonly Notice[], verbose: boolean): string[] {
  const groups = new Map<string, [MarkerCut, ...MarkerCut[]]>();
  for (const notice of notices) {
    if (notice.code !== "marker-cut") continue;
    const group = verbose ? notice.id : notice.kind;
    const known = groups.get(group);
    if (known) known.push(notice);
    else groups.set(group, [notice]);
  }
  return [...groups.values()].map(markersCutText);
}

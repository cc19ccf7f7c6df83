/** How large the largest process of each command gets, and what a page takes in the state beside what it is declared with. */
import { manifestOf } from "./account.ts";
import { embeddedPeers } from "./peer-tools.ts";
import { livesOf, type PeerResult } from "./peers.ts";

export interface Memory {
  readonly pages: number;
  /** landform on the embedded engine, of a landform.yaml and of a program. */
  readonly lives: readonly PeerResult[];
  /** Of a page as it is declared, as JSON, on average. */
  readonly inputBytes: number;
}

export async function measureMemory(pages: number): Promise<Memory> {
  const lives = await livesOf(embeddedPeers(), { pages }, 0, 1);
  const declared = Object.values((manifestOf({ pages }) as { readonly pages: Readonly<Record<string, object>> }).pages);
  const bytes = declared.reduce((sum, page) => sum + Buffer.byteLength(JSON.stringify(page)), 0);
  return { pages, lives, inputBytes: bytes / pages };
}

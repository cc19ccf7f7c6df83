/** Measures the largest process of each command, and the size of a page in the state beside its declaration. */
import { manifestOf } from "./account.ts";
import { embeddedPeers } from "./peer-tools.ts";
import { livesOf, type PeerResult } from "./peers.ts";

export interface Memory {
  readonly pages: number;
  /** landform on the embedded engine, with a landform.yaml and with a program. */
  readonly lives: readonly PeerResult[];
  /** The average size of a declared page as JSON. */
  readonly inputBytes: number;
}

export async function measureMemory(pages: number): Promise<Memory> {
  const lives = await livesOf(embeddedPeers(), { pages }, 0, 1);
  const declared = Object.values((manifestOf({ pages }) as { readonly pages: Readonly<Record<string, object>> }).pages);
  const bytes = declared.reduce((sum, page) => sum + Buffer.byteLength(JSON.stringify(page)), 0);
  return { pages, lives, inputBytes: bytes / pages };
}

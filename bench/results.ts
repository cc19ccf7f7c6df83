/** The last results of every part. */
import type { Checkpoints } from "./checkpoints.ts";
import type { Took } from "./command.ts";
import type { AtLatency } from "./latency.ts";
import type { Life } from "./lifecycle.ts";
import type { Memory } from "./memory.ts";
import type { OneEntry } from "./one-entry.ts";
import type { Peers } from "./peers.ts";
import type { PreviewPictures } from "./pictures.ts";
import type { Growth } from "./scale.ts";
import type { WithoutChanges } from "./without-changes.ts";

/** One part of the results, with the run that measured it. */
export interface Part<Measured> {
  readonly command: string;
  readonly machine: string;
  readonly at: string;
  readonly measured: Measured;
}

export interface Results {
  readonly start?: Part<Readonly<Record<string, Took>>>;
  readonly calls?: Part<readonly Life[]>;
  readonly lives?: Part<readonly Life[]>;
  readonly without?: Part<WithoutChanges>;
  readonly entry?: Part<OneEntry>;
  readonly latency?: Part<readonly AtLatency[]>;
  readonly scale?: Part<Growth>;
  readonly memory?: Part<Memory>;
  readonly pictures?: Part<PreviewPictures>;
  readonly checkpoints?: Part<Checkpoints>;
  /** The results of each measured size and latency. */
  readonly peers?: readonly Part<Peers>[];
}

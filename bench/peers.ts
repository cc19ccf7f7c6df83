/** Measures the same account with each of the tools, step by step and in turn, so that a busy moment falls on all of them. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../emulator/index.ts";
import { manifestOf, type AccountSize } from "./account.ts";
import { median, run, type Place, type Took } from "./command.ts";
import { findPeers, PEER_STEPS, type Peer, type PeerStep } from "./peer-tools.ts";

export interface PeerResult {
  readonly title: string;
  /** Medians by time. */
  readonly took: Readonly<Partial<Record<PeerStep, Took>>>;
  /** The size of the state after the up from empty. */
  readonly stateBytes: number;
  /** The average size of a page in the state, if it is one resource there. */
  readonly pageBytes?: number;
  /** The step at which it was given up. The reason is printed. */
  readonly failed?: string;
}

export interface Peers {
  readonly pages: number;
  /** The service's latency, in milliseconds a call. */
  readonly latency: number;
  readonly rounds: number;
  /** The size of the account as JSON. */
  readonly inputBytes: number;
  readonly peers: readonly PeerResult[];
  /** The tools that this machine doesn't have. */
  readonly leftOut: readonly string[];
}

/** The results of one tool so far, over all rounds. */
interface Tried {
  readonly peer: Peer;
  readonly runs: Map<PeerStep, Took[]>;
  state: Pick<PeerResult, "stateBytes" | "pageBytes">;
  failed?: string;
}

const KEY = "hero.title";

export async function measurePeers(
  pages: number,
  { latency, rounds, forPulumi }: Pick<Peers, "latency" | "rounds"> & { readonly forPulumi: boolean },
): Promise<Peers> {
  const { peers, leftOut } = findPeers(forPulumi);
  const inputBytes = JSON.stringify(manifestOf({ pages })).length;
  return { pages, latency, rounds, inputBytes, leftOut, peers: await livesOf(peers, { pages }, latency, rounds) };
}

export async function livesOf(
  peers: readonly Peer[],
  size: AccountSize,
  latency: number,
  rounds: number,
): Promise<PeerResult[]> {
  const all = peers.map((peer): Tried => ({ peer, runs: new Map(), state: { stateBytes: 0 } }));
  for (let round = 0; round < rounds; round++) await liveAll(all, size, latency);
  return all.map(resultOf);
}

async function liveAll(all: readonly Tried[], size: AccountSize, latency: number): Promise<void> {
  const places = new Map<Tried, Place>();
  try {
    for (const tried of all)
      await guarded(tried, "its start", async () => void places.set(tried, await open(tried.peer, size, latency)));
    for (const step of PEER_STEPS)
      for (const [tried, place] of places) await guarded(tried, step, () => take(tried, place, step, size));
  } finally {
    for (const { folder, emulator } of places.values()) {
      rmSync(folder, { recursive: true, force: true });
      await emulator.close();
    }
  }
}

/** A tool that fails gets no further step, and the others go on. */
async function guarded(tried: Tried, what: string, does: () => Promise<void>): Promise<void> {
  if (tried.failed !== undefined) return;
  try {
    await does();
  } catch (error) {
    tried.failed = what;
    console.error(`${tried.peer.title} is given up at ${what}:`, error instanceof Error ? error.message : error);
  }
}

async function open(peer: Peer, size: AccountSize, latency: number): Promise<Place> {
  const emulator = await startEmulator({ latency });
  try {
    const folder = await peer.make(size);
    return { folder, emulator, env: peer.env({ folder, emulator }) };
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

async function take(tried: Tried, place: Place, step: PeerStep, size: AccountSize): Promise<void> {
  const { peer, runs } = tried;
  const args = peer.steps[step];
  if (args === undefined) return;
  if (step === "up of one content key") peer.declare(place.folder, size, { headline: "The title from now on" });
  const before = step === "drift of 1 %" ? await editByHand(place.emulator, size.pages) : undefined;
  const took = await run(place, peer.program, args);
  if (before !== undefined) place.emulator.restore(before);
  runs.set(step, [...(runs.get(step) ?? []), took]);
  if (step === "up from empty") tried.state = bytesOf(join(place.folder, peer.state));
  console.log(peer.title, size.pages, step, took.seconds.toFixed(2), took.cpuSeconds.toFixed(2));
}

/** Changes a title of one page in a hundred, as a person does in the app. Returns the earlier content of the account. */
async function editByHand(emulator: Emulator, pages: number): Promise<ReturnType<Emulator["records"]>> {
  const before = emulator.records();
  const ids = (before["pages"] ?? []).slice(-Math.ceil(pages / 100)).map(({ id }) => id);
  for (const id of ids) {
    const answer = await fetch(`${emulator.baseUrl}/pages/content`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${emulator.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ page_id: id, updates: { [KEY]: "What somebody else wrote" } }),
    });
    if (!answer.ok) throw new Error(`the edit by hand: ${answer.status} ${await answer.text()}`);
  }
  return before;
}

interface StateFile {
  readonly checkpoint?: { readonly latest: { readonly resources: readonly { readonly type: string }[] } };
}

function bytesOf(file: string): Tried["state"] {
  const text = readFileSync(file, "utf8");
  const { checkpoint } = JSON.parse(text) as StateFile;
  const pages = checkpoint?.latest.resources.filter(({ type }) => type.endsWith(":Page")) ?? [];
  const sum = pages.reduce((bytes, page) => bytes + Buffer.byteLength(JSON.stringify(page)), 0);
  return { stateBytes: Buffer.byteLength(text), ...(pages.length > 0 && { pageBytes: sum / pages.length }) };
}

function resultOf({ peer, runs, state, failed }: Tried): PeerResult {
  const took = [...runs].map(([step, all]) => [step, median(all, "seconds")] as const);
  const end = failed === undefined ? {} : { failed };
  return { title: peer.title, took: Object.fromEntries(took), ...state, ...end };
}

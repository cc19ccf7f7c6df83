/** An account with a standing base, and the checks on it afterwards. */
import { expect } from "vitest";
import { type Ended } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import type { EmulatorOptions } from "../../emulator/index.ts";

export const BASE = "prod";

export interface Account {
  readonly desk: NearDesk;
  /** Runs `landform env ARGS`. */
  readonly env: (...args: string[]) => Promise<Ended>;
  /** Returns everything in the account, except retired funnels. */
  readonly holds: () => string;
  /** Returns the objects of a preview, which begin with its name, without retired ones. */
  readonly ofPreview: (name: string) => { id: string; name: string; slug: string | null; url: string | null }[];
}

export async function accountWith(
  prepare: (desk: NearDesk) => void,
  options: EmulatorOptions = {},
  { apply = true }: { apply?: boolean } = {},
): Promise<Account> {
  const desk = await NearDesk.open(undefined, options);
  prepare(desk);
  if (apply) {
    const up = await desk.run(["up", "--yes", "--stack", BASE]);
    expect(up.code, up.stdout + up.stderr).toBe(0);
  }
  return {
    desk,
    env: (...args) => desk.run(["env", ...args]),
    holds: () => JSON.stringify(withoutPool(desk.emulator.records()), null, 1),
    ofPreview: (name) =>
      Object.values(desk.emulator.records())
        .flat()
        .map((record) => record as unknown as Shown)
        .filter((record) => (record.pageName ?? record.name ?? "").startsWith(`${name}-`))
        .filter((record) => !isRetired(record))
        .map(({ id, pageName, name: called, slug = null, url = null }) => ({
          id,
          name: pageName ?? called ?? "",
          slug,
          url,
        })),
  };
}

interface Shown {
  readonly id: string;
  readonly name?: string;
  readonly pageName?: string;
  readonly slug?: string | null;
  readonly url?: string | null;
}

function withoutPool(records: Record<string, { id: string }[]>): Record<string, { id: string }[]> {
  return Object.fromEntries(
    Object.entries(records).map(([kind, all]) => [kind, all.filter((record) => !isRetired(record as Shown))]),
  );
}

function isRetired({ name = "" }: Shown): boolean {
  return name.endsWith("[retired by landform]");
}

/** A standing base, and a stand-in of the code host that starts jobs for its requests. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { partsOf } from "../../ci/note.ts";
import { type Ended } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { CodeHost, type Pull } from "./code-host.ts";

const example = join(import.meta.dirname, "../../examples/preview-per-branch");
/** Three pages and a funnel. */
export const OBJECTS = 4;

export class PreviewDesk {
  readonly desk: NearDesk;
  readonly host: CodeHost;
  readonly #env: Record<string, string>;

  private constructor(desk: NearDesk, host: CodeHost, env: Record<string, string>) {
    this.desk = desk;
    this.host = host;
    this.#env = env;
  }

  static async open(env: (desk: NearDesk) => Record<string, string> = () => ({})): Promise<PreviewDesk> {
    const desk = await NearDesk.open();
    const host = await CodeHost.open();
    cpSync(example, desk.folder, { recursive: true });
    const previews = new PreviewDesk(desk, host, env(desk));
    const base = await desk.run(["up", "--stack", "prod", "--yes"], { env: previews.#env });
    expect([base.code, base.stderr]).toEqual([0, ""]);
    return previews;
  }

  async close(): Promise<void> {
    await this.host.close();
    await this.desk.close();
  }

  /** Forgets the writes of a step. */
  forget(): void {
    this.host.faults.length = 0;
    for (const file of ["outputs", "preview.env"]) rmSync(this.desk.path(file), { force: true });
  }

  pull(number: number, parts: Partial<Pull> = {}): Pull {
    const made = { number, head: String(number % 10).repeat(40), merged: false, commits: [], branch: "red", ...parts };
    this.host.pulls.push(made);
    return made;
  }

  event({ number, head, fork = "acme/funnels" }: Pull, action: string): Record<string, string> {
    const repo = { full_name: fork };
    const file = `event-${number}.json`;
    this.desk.write(file, JSON.stringify({ action, pull_request: { number, head: { sha: head, repo } } }));
    return {
      ...this.#env,
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_API_URL: this.host.url,
      GITHUB_REPOSITORY: "acme/funnels",
      GITHUB_EVENT_PATH: this.desk.path(file),
      GITHUB_SHA: "f".repeat(40),
      GITHUB_HEAD_REF: "red",
      GITHUB_RUN_ID: "77",
      GITHUB_TOKEN: "job-token",
      GITHUB_OUTPUT: this.desk.path("outputs"),
      GITHUB_STEP_SUMMARY: this.desk.path("summary.md"),
    };
  }

  preview(env: Record<string, string>, ...args: string[]): Promise<Ended> {
    return this.desk.run(["ci", "preview", "--base", "prod", ...args], { env: { ...this.#env, ...env } });
  }

  told(number: number): string {
    return partsOf(this.host.ours(number)[0]?.body ?? "").preview ?? "";
  }

  /** Returns the account's objects that belong to a preview, by their names. */
  previewed(of = "(pr|br)-"): string[] {
    const records = Object.values(this.desk.emulator.records()).flat() as { name?: string; pageName?: string }[];
    const names = records.map(({ pageName, name = "" }) => pageName ?? name);
    return names.filter((name) => new RegExp(`^${of}`).test(name) && !name.includes("[retired"));
  }
}

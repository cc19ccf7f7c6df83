/** A standing base, and a stand-in of the code host that starts jobs for its requests. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { partsOf } from "../../ci/note.ts";
import { cleanOutputOf, type Ended } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { CodeHost, type Pull } from "./code-host.ts";
import { aboutPull, githubJob, type Variables } from "./jobs.ts";

const example = join(import.meta.dirname, "../../examples/preview-per-branch");
/** Three pages and a funnel. */
export const OBJECTS = 4;

export class PreviewDesk {
  readonly desk: NearDesk;
  readonly host: CodeHost;

  private constructor(desk: NearDesk, host: CodeHost) {
    this.desk = desk;
    this.host = host;
  }

  static async open(): Promise<PreviewDesk> {
    const previews = new PreviewDesk(await NearDesk.open(), await CodeHost.open());
    cpSync(example, previews.desk.folder, { recursive: true });
    await previews.desk.clean("up", "--stack", "prod", "--yes");
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
    return this.host.pull(number, { branch: "red", ...parts });
  }

  /** Each request has a file of its own for its events, because jobs run at once. */
  event({ number, head, fork }: Pull, action: string): Variables {
    const file = `event-${number}.json`;
    this.desk.write(file, JSON.stringify({ action, ...aboutPull(number, head, fork) }));
    return githubJob(this.host, {
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: this.desk.path(file),
      GITHUB_HEAD_REF: "red",
      GITHUB_RUN_ID: "77",
      GITHUB_OUTPUT: this.desk.path("outputs"),
      GITHUB_STEP_SUMMARY: this.desk.path("summary.md"),
    });
  }

  /** Runs a job that previews the whole campaign: most tests change none of it. */
  preview(env: Variables, ...args: string[]): Promise<Ended> {
    return this.ofChange(env, "--all", ...args);
  }

  ofChange(env: Variables, ...args: string[]): Promise<Ended> {
    return this.desk.run(["ci", "preview", "--base", "prod", ...args], { env });
  }

  /** Runs the job of an event, which succeeds and says nothing on standard error. Returns what it prints. */
  job(pull: Pull, action: string, ...args: string[]): Promise<string> {
    return cleanOutputOf(this.preview(this.event(pull, action), ...args));
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

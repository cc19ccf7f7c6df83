/** `landform emulator --tour`: a demonstration on an account of its own. It touches nothing outside a temporary folder. */
import { packageRoot } from "../stack/project/package.ts";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../emulator/index.ts";
import { LandformApi } from "../provider/api/index.ts";
import { broughtUp, showDrift, type UpChoice } from "./carry-out.ts";
import { exitCodes, CommandError, type ExitCode } from "../stack/exit/codes.ts";
import { onStack } from "./desk.ts";
import type { OperationOptions } from "../stack/options.ts";
import type { Opening } from "../stack/run/opened.ts";
import { Output } from "./output/terminal.ts";

const BEFORE = "A mug worth getting up for";
const AFTER = "The mug you will reach for first";
/** The tour shows work in a project's own folder, so no command names its temporary folder. */
const AS_IN_ITS_FOLDER = {};
const BY_HAND = "SPRING SALE!!! BUY NOW!!!";

export async function tour({ once }: { once: boolean }): Promise<ExitCode> {
  const show = await Tour.start({ once });
  try {
    await show.play();
    return exitCodes.done;
  } catch (error) {
    if (show.stopped) return exitCodes.done;
    throw error;
  } finally {
    await show.close();
  }
}

class Tour {
  readonly #emulator: Emulator;
  readonly #api: LandformApi;
  readonly #folder: string;
  readonly #once: boolean;
  readonly #output = new Output();
  readonly #stopped = new AbortController();
  readonly #onSignal = (): void => this.#stopped.abort();

  private constructor(emulator: Emulator, folder: string, once: boolean) {
    this.#emulator = emulator;
    this.#api = new LandformApi(emulator);
    this.#folder = folder;
    this.#once = once;
  }

  static async start({ once }: { once: boolean }): Promise<Tour> {
    const emulator = await startEmulator();
    const folder = mkdtempSync(join(tmpdir(), "landform-tour-"));
    cpSync(join(packageRoot, "examples", "quickstart"), folder, { recursive: true });
    // Without a terminal nobody presses a key.
    const tour = new Tour(emulator, folder, once || !new Output().interactive);
    Object.assign(process.env, {
      LANDFORM_BASE_URL: emulator.baseUrl,
      LANDFORM_API_KEY: emulator.apiKey,
      PULUMI_BACKEND_URL: `file://${folder}`,
      PULUMI_CONFIG_PASSPHRASE: "landform-tour",
    });
    process.on("SIGINT", tour.#onSignal);
    process.on("SIGTERM", tour.#onSignal);
    return tour;
  }

  async play(): Promise<void> {
    const { url } = this.#emulator;
    this.#title(
      "An account on this machine",
      `It is emulated, and shown at ${this.#link(url)}.\nNothing leaves this computer.`,
    );
    this.#title("1. A funnel in code", "examples/quickstart, deployed with `npx landform up`:");
    await this.#up();
    await this.#pause(
      `Open the offer in a browser: ${this.#link((await this.#offer()).url)}\nPress Enter to change its headline.`,
    );
    this.#title("2. One key changes", `In index.ts, "${BEFORE}"\nbecomes "${AFTER}", and \`npx landform up\` again:`);
    const program = join(this.#folder, "index.ts");
    writeFileSync(program, readFileSync(program, "utf8").replace(BEFORE, AFTER));
    await this.#up();
    await this.#pause("Reload the page. Press Enter to let somebody change it by hand.");
    this.#title("3. Drift", "Somebody edits the page in the app. `npx landform drift` shows it:");
    await this.#api.pages.updateContent({ page_id: (await this.#offer()).id, updates: { "hero.title": BY_HAND } });
    await this.#run("drift", (desk) => showDrift(desk, {}));
    await this.#pause("Press Enter to repair it with `npx landform up --refresh`.");
    this.#title("4. Repaired", "`npx landform up --refresh` writes the code's values back:");
    await this.#up({ refresh: true });
    this.#end();
    if (!this.#once) await this.#untilStopped();
  }

  get stopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async close(): Promise<void> {
    process.off("SIGINT", this.#onSignal);
    process.off("SIGTERM", this.#onSignal);
    await this.#api.close();
    await this.#emulator.close();
    rmSync(this.#folder, { recursive: true, force: true });
    if (this.stopped) this.#output.line("\nStopped. The emulated account and its folder are gone.");
  }

  #up(more: Pick<UpChoice, "refresh"> = {}): Promise<void> {
    return this.#run("up", (desk) => broughtUp(desk, { ...more, yes: true }), { makesStack: true });
  }

  async #run(verb: "up" | "drift", work: Parameters<typeof onStack>[2], opening: Opening = {}): Promise<void> {
    const options: OperationOptions = { C: this.#folder, stack: "dev", engine: "embedded", target: [] };
    const code = await onStack(options, verb, work, { ...opening, typed: AS_IN_ITS_FOLDER });
    if (code !== exitCodes.done) throw new CommandError(exitCodes.failed, "the tour stopped here");
  }

  async #offer(): Promise<{ id: string; url: string }> {
    const pages = await this.#api.pages.list({ limit: 100 });
    const offer = pages.find(({ page_name: name }) => name === "Offer");
    return { id: offer?.id ?? "", url: offer?.url ?? this.#emulator.url };
  }

  async #pause(text: string): Promise<void> {
    this.#output.line();
    if (this.#once) {
      this.#output.line(text.split("\n").slice(0, -1).join("\n"));
      return;
    }
    try {
      await this.#output.ask(`${text} `, this.#stopped.signal);
    } catch {
      this.#stopped.abort();
      throw new CommandError(exitCodes.failed, "the tour was stopped");
    }
  }

  #end(): void {
    const { line } = this.#output;
    this.#title("What next", "");
    line("  npx landform init my-funnel    a project of your own");
    line("  npx landform emulator          an account to try it on");
    line("  npx landform help              everything else");
    if (!this.#once)
      line(this.#output.canvas.styles.faint("\nThe pages stay open until Ctrl-C, which removes everything again."));
  }

  async #untilStopped(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    await new Promise<void>((resolve) => this.#stopped.signal.addEventListener("abort", () => resolve()));
  }

  #title(title: string, text: string): void {
    const { line, canvas } = this.#output;
    line();
    line(canvas.styles.strong(`── ${title} ${"─".repeat(Math.max(60 - title.length, 4))}`));
    if (text !== "") line(text);
    line();
  }

  #link(url: string): string {
    return this.#output.canvas.styles.link(url);
  }
}

/** Accounts in the emulator, folders for their exports, and the embedded engine that runs the exported code. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator/index.ts";
import { FileBackend, type OperationResult, PassphraseSecrets, runOperation } from "../../engine/index.ts";
import { exportAccount, type ExportOptions, type ExportReport } from "../../manifest/export/index.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { LONG } from "./accounts.ts";

const repository = join(import.meta.dirname, "../..");
const REF = { project: "exported", stack: "dev" };

export class TestAccount {
  readonly emulator: Emulator;
  readonly api: LandformApi;

  private constructor(emulator: Emulator) {
    this.emulator = emulator;
    this.api = new LandformApi({ baseUrl: emulator.baseUrl, apiKey: emulator.apiKey });
  }

  static async open(options: EmulatorOptions = {}): Promise<TestAccount> {
    return new TestAccount(await startEmulator(options));
  }

  async project(name = "Spring"): Promise<string> {
    return (await this.api.projects.create({ name, description: LONG, context: LONG })).id;
  }

  async page(
    name: string,
    { template = "tpl-hero", project }: { template?: string; project?: string } = {},
  ): Promise<string> {
    return (await this.api.pages.createFromTemplate({ template_id: template, name, project_id: project })).id;
  }

  /** Makes a page whose variables all have a value. */
  async filledPage(...args: Parameters<TestAccount["page"]>): Promise<string> {
    const page_id = await this.page(...args);
    const { variables } = await this.api.builder.contentMap(page_id);
    await this.api.pages.replaceVariables({
      page_id,
      variables: Object.fromEntries(variables.map((variable) => [variable, "Acme"])),
    });
    return page_id;
  }

  /** Makes products with parts that the API does not show. */
  async oddProducts(project_id?: string): Promise<void> {
    const items = [{ id: "a" }, { id: "b" }];
    await this.api.products.create({ name: "Set", type: "bundle", bundle_items_json: items, project_id });
    const terms = { enabled: true, discountPercent: 5, benefits: [] };
    await this.api.products.create({ name: "Plan", subscription_json: terms });
  }

  edit(page_id: string, updates: Record<string, string>): Promise<unknown> {
    return this.api.pages.updateContent({ page_id, updates });
  }

  /** Returns the calls since the last look, as `METHOD /path`. */
  calls(): string[] {
    const made = this.emulator.requests.map(({ method, path }) => `${method} ${path.split("?")[0] ?? path}`);
    this.emulator.requests.length = 0;
    return made;
  }

  /** Returns the calls since the last look that change something, or could. */
  writes(): string[] {
    return this.calls().filter((call) => !call.startsWith("GET "));
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.emulator.close();
  }
}

let secretsOnce: Promise<PassphraseSecrets> | undefined;

/** A folder with code and the state of its stack. */
export class TestFolder {
  readonly path: string;
  readonly #state: string;

  constructor() {
    const root = mkdtempSync(join(tmpdir(), "export-"));
    this.path = join(root, "code");
    this.#state = join(root, "state");
    mkdirSync(join(this.path, "node_modules/@pulumi"), { recursive: true });
    mkdirSync(join(this.path, "node_modules/@types"), { recursive: true });
    symlinkSync(repository, join(this.path, "node_modules/landform"));
    symlinkSync(join(repository, "node_modules/@pulumi/pulumi"), join(this.path, "node_modules/@pulumi/pulumi"));
    symlinkSync(join(repository, "node_modules/@types/node"), join(this.path, "node_modules/@types/node"));
  }

  export({ api }: TestAccount, options: Partial<ExportOptions> = {}): Promise<ExportReport> {
    return exportAccount(api, { folder: this.path, format: "yaml", ...options });
  }

  read(name = "landform.yaml"): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), text);
  }

  /** Replaces one occurrence, which must be there. */
  edit(from: string, to: string, name = "landform.yaml"): void {
    const text = this.read(name);
    if (!text.includes(from)) throw new Error(`${name} has no ${JSON.stringify(from)}:\n${text}`);
    this.write(
      name,
      text.replace(from, () => to),
    );
  }

  /** Runs the manifest, or the program in index.ts. Fails if the operation fails. */
  async run(
    kind: "preview" | "up" | "refresh" | "destroy",
    account: TestAccount,
    format: "yaml" | "typescript" = "yaml",
  ): Promise<OperationResult> {
    secretsOnce ??= PassphraseSecrets.create("test");
    const secrets = await secretsOnce;
    mkdirSync(this.#state, { recursive: true });
    const backend = await FileBackend.open(this.#state);
    if (!(await backend.exists(REF))) await backend.create(REF, secrets);
    const { baseUrl, apiKey } = account.emulator;
    const manifest = { LANDFORM_MANIFEST: join(this.path, "landform.yaml") };
    const result = await runOperation(
      {
        kind,
        ...REF,
        root: this.path,
        config: { values: {}, secretKeys: [] },
        backend,
        secrets,
        program:
          format === "yaml"
            ? { typescript: false, entry: join(repository, "dist/manifest/program.js"), env: manifest }
            : { typescript: false, entry: "index.ts" },
        hostEnv: { LANDFORM_BASE_URL: baseUrl, LANDFORM_API_KEY: apiKey },
      },
      () => undefined,
    );
    if (result.result !== "succeeded") throw new Error(`${kind}: ${JSON.stringify(result.failures, undefined, 2)}`);
    return result;
  }

  close(): void {
    rmSync(dirname(this.path), { recursive: true, force: true });
  }
}

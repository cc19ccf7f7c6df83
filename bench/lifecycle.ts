/** The life of an account: made, looked at, changed, taken away; one command a step. */
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { startEmulator } from "../emulator/index.ts";
import { landform, type Place, type Took } from "./command.ts";
import { type Form, makeProject, writeProject } from "./project.ts";

export type Engine = "embedded" | "pulumi";

export interface Life {
  readonly engine: Engine;
  readonly form: Form;
  readonly steps: Readonly<Record<string, Took>>;
}

export async function live(engine: Engine, form: Form, pages: number, pulumi: string | undefined): Promise<Life> {
  const emulator = await startEmulator();
  const folder = makeProject(form, pages);
  const PATH = `${dirname(pulumi ?? process.execPath)}:${process.env["PATH"] ?? ""}`;
  const env = {
    ...process.env,
    PATH,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_HOME: `${folder}/home`,
    PULUMI_BACKEND_URL: `file://${folder}`,
  };
  const place: Place = { folder, emulator, env };
  const steps: Record<string, Took> = {};
  const step = async (title: string, ...args: string[]): Promise<void> => {
    steps[title] = await landform(place, ...args, "-s", "dev", "--engine", engine);
    console.log(engine, form, title, steps[title].seconds.toFixed(2));
  };
  try {
    await step("up from empty", "up", "--yes");
    await step("preview without changes", "preview");
    await step("up without changes", "up", "--yes");
    await step("refresh", "refresh");
    writeProject(folder, form, pages, "Changed");
    await step("up of one content key", "up", "--yes");
    await step("destroy", "destroy", "--yes", "--force");
    return { engine, form, steps };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await emulator.close();
  }
}

import type { Command } from "commander";
import { Demo } from "../demo/demo.ts";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { exiting } from "./action.ts";

interface DemoOptions {
  once?: true;
}

export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("see it work: an emulated account, a funnel, a change, and drift repaired")
    .option("--once", "go through everything without waiting, and end")
    .action(exiting(demo));
}

async function demo({ once }: DemoOptions): Promise<ExitCode> {
  const show = await Demo.start({ once: once === true });
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

import { reasonOf } from "../../provider/values/wording.ts";
import { InvalidArgumentError, Option, type Command } from "commander";
import { FaultFileError, loadFaults, scopes as allScopes, startEmulator, type Emulator } from "../../emulator/index.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { styles, print } from "../../story/print.ts";
import { exiting } from "../options.ts";

interface EmulatorFlags {
  port?: number;
  data?: string;
  latency?: number;
  faults?: string;
  allowLoopbackHooks?: true;
  scopes?: string[];
  seed?: "demo" | "empty";
  plan?: string;
  tour?: true;
  once?: true;
}

export function addEmulator(program: Command): void {
  program
    .command("emulator")
    .description("run an emulator of the service on this machine, to try and to test without an account")
    .option("--port <port>", "port on 127.0.0.1 (default: a free one)", port)
    .option("--data <file>", "keep the account in this SQLite file (default: in memory)")
    .option("--latency <ms>", "milliseconds before every answer", wholeNumber)
    .option("--faults <file>", "calls that fail on purpose, as JSON")
    .option("--allow-loopback-hooks", "deliver hooks to receivers on this machine")
    .option("--scopes <list>", "print a key with only these scopes, such as pages:read,sites:read", scopeList)
    .addOption(
      new Option(
        "--seed <what>",
        "what a new account holds: empty (only some videos), or demo (an example of everything)",
      ).choices(["empty", "demo"]),
    )
    .option("--plan <name>", "plan of a new account; free can't create projects (default: pro)")
    .option("--tour", "show how it works: a funnel, a change and drift; touches nothing else")
    .option("--once", "with --tour: go through everything without waiting, and end")
    .action(exiting(emulate));
}

function faultsIn(file: string): ReturnType<typeof loadFaults> {
  try {
    return loadFaults(file);
  } catch (error) {
    throw error instanceof FaultFileError ? new UsageError(error.message, { cause: error }) : error;
  }
}

async function emulate({ tour, once, faults, scopes, ...flags }: EmulatorFlags): Promise<ExitCode> {
  if (tour === true) return (await import("../tour.ts")).tour({ once: once === true });
  if (once === true) throw new UsageError("--once goes with --tour: the emulator itself ends at Ctrl-C");
  const armed = faults === undefined ? [] : faultsIn(faults);
  const emulator = await startEmulator({ ...flags, faults: armed }).catch((error: unknown) => {
    throw new UsageError(reasonOf(error), { cause: error });
  });
  const apiKey = scopes === undefined ? emulator.apiKey : emulator.createKey({ scopes });
  print(welcome({ ...emulator, apiKey }, flags.data));
  await interrupted();
  await emulator.close();
  return exitCodes.done;
}

function welcome(
  { url, baseUrl, apiKey }: Pick<Emulator, "url" | "baseUrl" | "apiKey">,
  data: string | undefined,
): string {
  const { strong, link, faint } = styles(process.stdout);
  return [
    `${strong("The emulator listens")} at ${link(url)} ${faint(data === undefined ? "(in memory)" : `(kept in ${data})`)}`,
    "",
    "In another terminal:",
    "",
    `  export LANDFORM_BASE_URL=${baseUrl}`,
    `  export LANDFORM_API_KEY=${apiKey}`,
    "",
    "then, for example:",
    "",
    "  npx landform init my-funnel --yes && cd my-funnel",
    "  npx landform up",
    "",
    faint("Open the address above in a browser to see what the account holds. Ctrl-C ends the emulator."),
  ].join("\n");
}

export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}

function scopeList(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !allScopes.includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no scope "${unknown}"; there are ${allScopes.join(", ")}.`);
  return names;
}

const LAST_PORT = 65_535;

function port(text: string): number {
  const number = wholeNumber(text);
  if (number <= LAST_PORT) return number;
  throw new InvalidArgumentError(`It has to be a port, ${LAST_PORT} at most; 0 takes a free one.`);
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It has to be a whole number.");
  return Number(text);
}

/** The lines and questions on a terminal while a command runs. */
import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { CommandError } from "../../stack/exit/codes.ts";
import { Output } from "../../cli/output/terminal.ts";
import { startProgress } from "../../cli/output/progress.ts";
import { plainStyles } from "../../story/print.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function typed(): PassThrough {
  const input = new PassThrough();
  vi.spyOn(process, "stdin", "get").mockReturnValue(input as unknown as typeof process.stdin);
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return input;
}

function typedInTerminal(): PassThrough {
  const input = typed();
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  vi.spyOn(process, "stdout", "get").mockReturnValue(output as unknown as typeof process.stdout);
  return input;
}

test("input that was typed ahead answers the next questions, whole lines or a line that was begun", async () => {
  const input = typedInTerminal();
  const output = new Output();
  const first = output.ask("Apply? ");
  input.write("y\nhold\nspr");
  expect(await first).toBe("y");
  expect(await output.ask("Hold or include? ")).toBe("hold");
  const last = output.ask("Name: ");
  input.write("ing\n");
  expect(await last).toBe("spring");
  input.end();
  await expect(output.ask("Another: ")).rejects.toBeInstanceOf(CommandError);
});

test("a yes that was typed before its question was shown approves nothing", async () => {
  const input = Object.assign(typedInTerminal(), { isTTY: true });
  const shown: string[] = [];
  process.stdout.on("data", (text: Buffer) => shown.push(text.toString()));
  input.write("y\n");
  const answer = new Output().askApproval("Apply? ");
  await expect.poll(() => shown.join("")).toContain("Apply? ");
  input.write("n\n");
  expect(await answer).toBe("n");
});

test("a question that is left, by Ctrl-C or Ctrl-D, ends the command instead of going on without an answer", async () => {
  const input = typed();
  const answer = new Output().ask("Name: ");
  input.end();
  await expect(answer).rejects.toBeInstanceOf(CommandError);
});

test("live lines are taken away by the rows that they fill, also after the terminal became narrower", () => {
  vi.stubEnv("TERM", "xterm");
  const written: string[] = [];
  const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  const options = { stream, styles: plainStyles, total: 20, quiet: false, program: false };
  const progress = startProgress({ ...options, redact: (text) => text });
  progress.tell("first");
  stream.columns = 20;
  written.length = 0;
  progress.tell("second");
  const narrow = [...written];
  // A terminal that nobody has told its size.
  stream.columns = 0;
  written.length = 0;
  progress.tell("third");
  progress.end();
  expect(written[0]).toBe("\r\u001b[2A\u001b[0J");
  written.splice(0, Infinity, ...narrow);
  // The line "working" is one row of 20 columns, and the bar of 36 columns is two.
  expect(written[0]).toBe("\r\u001b[3A\u001b[0J");
  expect(written[1]).toBe("second\n");
});

/** The ways out of this process: text for people, which can't make a terminal or a CI's runner do anything, and JSON. */
import { jsonText, shownText } from "../stack/report/printable.ts";

type Stream = Pick<NodeJS.WriteStream, "write">;

const told: string[] = [];

/** With a line break. */
export function print(text: string, stream: Stream = process.stdout): void {
  const shown = shownText(text);
  told.push(shown);
  stream.write(`${shown}\n`);
}

/** Whether people have read it by now: its first line, whatever is around that. Without a text: anything at all. */
export function isTold(text = ""): boolean {
  const [line = ""] = bare(shownText(text)).split("\n");
  return told.some((one) => bare(one).includes(line));
}

/** Without colours. */
function bare(text: string): string {
  // eslint-disable-next-line no-control-regex -- the escape that colours begin with
  return text.replace(/\u001b\[[\d;]*m/g, "").trim();
}

export function printError(text: string): void {
  print(text, process.stderr);
}

export function printJson(value: unknown): void {
  told.push("");
  process.stdout.write(`${jsonText(value)}\n`);
}

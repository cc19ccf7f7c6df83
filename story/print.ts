/** The ways out of this process: text for people, which can't make a terminal or a CI's runner do anything, and JSON. */
import { jsonText, shownText } from "../stack/report/printable.ts";

type Stream = Pick<NodeJS.WriteStream, "write">;

/** With a line break. */
export function print(text: string, stream: Stream = process.stdout): void {
  stream.write(`${shownText(text)}\n`);
}

export function printError(text: string): void {
  print(text, process.stderr);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
}

/** The ways out of this process: text for people, which can't make a terminal or a CI's runner do anything, and JSON. */
import { jsonText } from "../render/json.ts";
import { printable, withoutCommands } from "../render/text.ts";

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

/** Of what acts on a terminal, colours alone are left. */
export function shownText(text: string): string {
  const shown = text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
  return shown.split("\n").map(withoutCommands).join("\n");
}

// eslint-disable-next-line no-control-regex -- the escape that colours begin with
const COLOUR = /(\u001b\[[\d;]*m)/;

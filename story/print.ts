/** The outputs of this process: text for people, which can't control a terminal or a CI's runner, and JSON. */
import { packageRoot } from "../stack/project/package.ts";
import { join, relative } from "node:path";
import { jsonText, shownText } from "../stack/report/printable.ts";
import { styleText } from "node:util";
import type { Tone } from "../stack/report/words.ts";

type Stream = Pick<NodeJS.WriteStream, "write">;

const told: string[] = [];
let hasReason = false;

/** Forgets the command before, where one process runs several. */
export function forgetTold(): void {
  told.length = 0;
  hasReason = false;
}

/** Notes that what is printed tells why the command ends with another code than 0. A plan alone does not. */
export function tellsWhy(): void {
  hasReason = true;
}

export function isWhyTold(): boolean {
  return hasReason;
}

export function print(text: string, stream: Stream = process.stdout): void {
  const shown = readHere(text);
  told.push(shown);
  stream.write(`${shown}\n`);
}

/** Tells if people have already read the first line of the text, whatever is around it. */
export function isTold(text: string): boolean {
  const [line = ""] = bare(readHere(text)).split("\n");
  return told.some((one) => bare(one).includes(line));
}

/** Messages name a document from the folder that has the package. A person opens it from the folder where the command runs. */
function readHere(text: string): string {
  const here = (): string => `See ${relative(process.cwd(), join(packageRoot, "docs")) || "."}/`;
  return shownText(text).replaceAll(/\bSee (?:node_modules\/landform\/)?docs\//g, here);
}

function bare(text: string): string {
  // eslint-disable-next-line no-control-regex -- the escape that colours begin with
  return text.replace(/\u001b\[[\d;]*m/g, "").trim();
}

export function printError(text: string): void {
  print(text, process.stderr);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
}

function stylesIn(colour: boolean) {
  const style =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      colour ? styleText(format, text, { validateStream: false }) : text;
  return {
    colour,
    add: style("green"),
    change: style("yellow"),
    remove: style("red"),
    replace: style("magenta"),
    bad: style(["red", "bold"]),
    warn: style(["yellow", "bold"]),
    faint: style("dim"),
    strong: style("bold"),
    link: style(["cyan", "underline"]),
  };
}

export type Styles = ReturnType<typeof stylesIn>;

export const plainStyles = stylesIn(false);
const colours = stylesIn(true);

export function styles(stream: { isTTY?: boolean; hasColors?: () => boolean }): Styles {
  return showsColours(stream) ? colours : plainStyles;
}

function showsColours(stream: { isTTY?: boolean; hasColors?: () => boolean }): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: terminal } = process.env;
  if (none !== undefined && none !== "") return false;
  if (forced !== undefined && forced !== "") return forced !== "0";
  return stream.isTTY === true && terminal !== "dumb";
}

const PAINTS: Record<Tone, keyof Omit<Styles, "colour">> = {
  ...{ create: "add", adopt: "add", update: "change", replace: "replace", delete: "remove", good: "add", warn: "warn" },
};

export function paint(tone: Tone, styles: Styles): (text: string) => string {
  return styles[PAINTS[tone]];
}

/** The parts of a Markdown file that tests look at. */
import { join } from "node:path";

export const repository = join(import.meta.dirname, "../..");

export interface Block {
  readonly language: string;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = "", 2: body = "", index }) => ({
    language,
    text: body,
    line: text.slice(0, index).split("\n").length,
  }));

export const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, "");

/** The anchors of the headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)];
  return new Set(
    headings.map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-"),
    ),
  );
}

/** Targets of links and images. */
export const linksOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);

/** Failures at the lines that declare what fails. */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Failure, Report } from "../stack/report/model.ts";
import type { Annotation } from "./forge/forge.ts";

/** `folder`: of the project in its repository. `root`: where it is. */
export function annotationsOf({ failures }: Report, folder: string, root: string): Annotation[] {
  return failures
    .flatMap((failure) => placesOf(failure, root))
    .flatMap(({ file, line, message }) => {
      if (file.startsWith("/") || file.startsWith("..")) return [];
      return [{ file: within(folder, file), line, message, level: "failure" as const }];
    });
}

type Place = Pick<Annotation, "file" | "line" | "message">;

/** One that tells of several problems begins a line for each with its place, as compilers do. */
function placesOf({ source, message }: Failure, root: string): Place[] {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(source ?? "") ?? [];
  if (file !== undefined) return [{ file, line: Number(line), message }];
  return [...message.matchAll(/^(?:error: )?([^\s:][^:\n]*):(\d+):\d+: (?:error: )?(.+)$/gm)].map(
    ([, named = "", at, said = ""]) => ({ file: fromHere(named, root), line: Number(at), message: said }),
  );
}

/** Messages name files from where the command was typed. */
function fromHere(file: string, root: string): string {
  return existsSync(file) ? relative(root, resolve(file)).replaceAll("\\", "/") : file;
}

/** The lines by which GitHub's runner shows them beside the code, with a token or without. */
export function commandOf({ file, line, message }: Annotation): string {
  const escaped = (text: string, more: string): string =>
    text.replace(new RegExp(`[%\\r\\n${more}]`, "g"), (sign) => encodeURIComponent(sign));
  return `::error file=${escaped(file, ":,")},line=${line}::${escaped(message, "")}`;
}

/** The project may be a folder of the repository. */
function within(folder: string, file: string): string {
  return folder === "" ? file : `${folder}/${file}`;
}

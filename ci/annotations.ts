/** Failures at the lines that declare what fails. Pure. */
import type { Failure, Report } from "../stack/report/model.ts";
import type { Annotation } from "./forge/forge.ts";

export function annotationsOf({ failures }: Report, folder: string): Annotation[] {
  return failures.flatMap((failure) => {
    const place = placeOf(failure);
    if (place === undefined) return [];
    return [
      { file: within(folder, place.file), line: place.line, message: failure.message, level: "failure" as const },
    ];
  });
}

function placeOf({ source }: Failure): { file: string; line: number } | undefined {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(source ?? "") ?? [];
  return file === undefined || file.startsWith("/") || file.startsWith("..") ? undefined : { file, line: Number(line) };
}

/** The project may be a folder of the repository. */
function within(folder: string, file: string): string {
  return folder === "" ? file : `${folder}/${file}`;
}

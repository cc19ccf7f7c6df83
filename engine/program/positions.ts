import type { SourcePosition, StackTrace } from "@pulumi/pulumi/proto/source_pb.js";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { ResourceState } from "../model/types.ts";

/** Returns the place of a registration as Pulumi's checkpoint has it: `project:///index.ts#4,1`, relative to the project. */
export function storedPosition(
  position: SourcePosition | undefined,
  trace: StackTrace | undefined,
  root: string,
): Pick<ResourceState, "sourcePosition" | "stackTrace"> {
  const sourcePosition = formatPosition(position, root);
  // Pulumi also drops the frames if it can't tell the place.
  if (sourcePosition === undefined && position !== undefined) return {};
  const frames = trace?.getFramesList().map((frame) => {
    const place = formatPosition(frame.getPc(), root);
    return place === undefined ? {} : { sourcePosition: place };
  });
  return {
    ...(sourcePosition === undefined ? {} : { sourcePosition }),
    ...(frames === undefined || frames.length === 0 ? {} : { stackTrace: frames }),
  };
}

/** Returns the same for a resource that is declared in one place, without frames around it. */
export function storedFrom(place: Place, root: string): Pick<ResourceState, "sourcePosition" | "stackTrace"> {
  const sourcePosition = formatPlace(place, root);
  return sourcePosition === undefined ? {} : { sourcePosition, stackTrace: [{ sourcePosition }] };
}

interface Place {
  uri: string;
  line: number;
  column: number;
}

function formatPosition(position: SourcePosition | undefined, root: string): string | undefined {
  if (position === undefined) return undefined;
  return formatPlace({ uri: position.getUri(), line: position.getLine(), column: position.getColumn() }, root);
}

function formatPlace({ uri, line, column }: Place, root: string): string | undefined {
  if (!uri.startsWith("file:///") || line < 0 || column < 0) return undefined;
  const path = relative(root, fileURLToPath(uri));
  const escaped = path.split(sep).map(escapeSegment).join("/");
  return `project:///${escaped}#${line}${column === 0 ? "" : `,${column}`}`;
}

/** Escapes a path as Go does. */
function escapeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}

/** The messages between a program and the engine without gRPC (`framed-client.ts`, `program/served.ts`). Both ends have one version. */
import { deserialize, serialize } from "node:v8";
import type { PropertyMap } from "../model/types.ts";

/** A message of the SDK is the array of its fields. Its properties, if any, stand beside it. */
export type FramedCall = [id: number, method: string, fields: unknown[], properties?: PropertyMap];
export type FramedAnswer = [id: number, refusal: Refusal | undefined, fields: unknown[], properties?: PropertyMap];

/** A refusal in the words of gRPC, because the SDK understands only those. */
export interface Refusal {
  code: number;
  details: string;
}

export const UNIMPLEMENTED = 12;
export const UNAVAILABLE = 14;
export const CODE_NAMES: Record<number, string> = { [UNIMPLEMENTED]: "UNIMPLEMENTED", [UNAVAILABLE]: "UNAVAILABLE" };

const LENGTH_BYTES = 4;
/** No frame is longer. A longer length means that it is no frame. */
const MOST_BYTES = 2 ** 30;

export function toFrame(item: FramedCall | FramedAnswer): Buffer {
  const body = serialize(item);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, LENGTH_BYTES);
  return frame;
}

export class FrameReader<Item extends FramedCall | FramedAnswer> {
  #pieces: Buffer[] = [];
  #length = 0;

  read(piece: Buffer): Item[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const items: Item[] = [];
    for (let body = this.#next(); body !== undefined; body = this.#next()) items.push(deserialize(body) as Item);
    return items;
  }

  #next(): Buffer | undefined {
    if (this.#length < LENGTH_BYTES) return undefined;
    // Join only once, and not with each piece that follows a split head.
    if ((this.#pieces[0]?.length ?? 0) < LENGTH_BYTES) this.#pieces = [this.#joined()];
    const length = this.#pieces[0]?.readUInt32BE() ?? 0;
    if (length > MOST_BYTES) throw new RangeError(`a frame of ${length} bytes`);
    const end = LENGTH_BYTES + length;
    if (this.#length < end) return undefined;
    const all = this.#joined();
    this.#pieces = [all.subarray(end)];
    this.#length -= end;
    return all.subarray(LENGTH_BYTES, end);
  }

  #joined(): Buffer {
    const [first] = this.#pieces;
    return first !== undefined && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
  }
}

/** One file of a zip archive, as code hosts hand out artifacts. Pure. */
import { crc32, inflateRawSync } from "node:zlib";

const END = { signature: 0x06054b50, size: 22, longestComment: 0xffff };
const ENTRY = { signature: 0x02014b50, size: 46 };
const LOCAL_SIZE = 30;
const [STORED, DEFLATED] = [0, 8];
const LARGEST = 256 * 1024 * 1024;

/** Undefined where the archive has no such file; what is no archive, or is damaged, is an error. */
export function fileInZip(zip: Buffer, path: string): Buffer | undefined {
  let at = zip.readUInt32LE(endOf(zip) + 16);
  for (let left = zip.readUInt16LE(endOf(zip) + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY.signature) throw new Error("the archive is damaged");
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (zip.toString("utf8", at + ENTRY.size, at + ENTRY.size + name) === path) return contentOf(zip, at);
    at += ENTRY.size + name + extra + comment;
  }
  return undefined;
}

function endOf(zip: Buffer): number {
  for (let at = zip.length - END.size; at >= Math.max(0, zip.length - END.size - END.longestComment); at -= 1)
    if (zip.readUInt32LE(at) === END.signature) return at;
  throw new Error("that is no zip archive");
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const [crc, size, local] = [16, 20, 42].map((offset) => zip.readUInt32LE(entry + offset)) as [number, number, number];
  const start = local + LOCAL_SIZE + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + size);
  if (method !== STORED && method !== DEFLATED)
    throw new Error(`the archive is packed in a way of its own (${method})`);
  const content = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: LARGEST });
  if (crc32(content) !== crc) throw new Error("the archive is damaged");
  return content;
}

/** Makes an archive as a code host packs it: sizes stand behind the content, because they were not known before. */
import { crc32, deflateRawSync } from "node:zlib";

export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, packed] = [Buffer.from(path), deflateRawSync(text)];
    const [crc, size] = [crc32(text), Buffer.byteLength(text)];
    const local = fields([0x04034b50, 4], [20, 2], [0x808, 2], [8, 2], [0, 16], [name.length, 2], [0, 2]);
    const behind = fields([0x08074b50, 4], [crc, 4], [packed.length, 4], [size, 4]);
    const sizes: [number, number][] = [
      [crc, 4],
      [packed.length, 4],
      [size, 4],
    ];
    const known: [number, number][] = [
      [0x02014b50, 4],
      [20, 4],
      [0x808, 2],
      [8, 2],
      [0, 4],
    ];
    entries.push(fields(...known, ...sizes, [name.length, 2], [0, 12], [at, 4]), name);
    parts.push(local, name, packed, behind);
    at += local.length + name.length + packed.length + behind.length;
  }
  const listed = Buffer.concat(entries);
  const count = Object.keys(files).length;
  const end = fields([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [listed.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...parts, listed, end]);
}

function fields(...all: (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    all.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, Math.min(bytes, 6));
      return field;
    }),
  );
}

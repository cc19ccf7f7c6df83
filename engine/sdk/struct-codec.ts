/**
 * The bytes of a `Struct`, the message that carries properties, to values and back. The SDK goes by a tree of messages, one object for each value,
 * and that takes longer than all that a provider and a program do with the values. Pure.
 */
import type { Json, PropertyMap } from "../model/types.ts";

// Tags: the fields with their wire types (google/protobuf/struct.proto).
const FIELD = 0x0a;
const KEY = 0x0a;
const VALUE = 0x12;
const ITEM = 0x0a;
const NULL = 0x08;
const NUMBER = 0x11;
const STRING = 0x1a;
const BOOLEAN = 0x20;
const STRUCT = 0x2a;
const LIST = 0x32;

/** Returns undefined for the SDK's own cases: half a surrogate pair, which the engine refuses, and a key that no object of JavaScript holds. */
export function encoded(values: object): Uint8Array | undefined {
  const writer = new BackwardsWriter(spare ?? Buffer.allocUnsafe(FIRST_BYTES));
  // An object may make a struct of its own when its values are read.
  spare = undefined;
  writer.struct(values);
  const bytes = writer.isStrange ? undefined : writer.bytes();
  spare = writer.buffer;
  return bytes;
}

let spare: Buffer | undefined;

/** Returns undefined for bytes of another form than the engine's and ours. Keys come in the SDK's order. */
export function decoded(bytes: Uint8Array): PropertyMap | undefined {
  const reader = new Reader(bytes);
  const values = reader.struct(bytes.length);
  return reader.isStrange ? undefined : values;
}

const FIRST_BYTES = 65_536;
const GROUP_BITS = 7;
const GROUP = 0x7f;
const MORE = 0x80;

/** Writes from the end to the start, so that the length of a part is known before it is written. */
class BackwardsWriter {
  isStrange = false;
  buffer: Buffer;
  #length = 0;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  /** A copy, which is no larger than it has to be: many wait at once. */
  bytes(): Uint8Array {
    return new Uint8Array(this.buffer.subarray(this.buffer.length - this.#length));
  }

  /** Takes the keys that the SDK takes: inherited ones, too. */
  struct(values: object): void {
    const keys: string[] = [];
    for (const key in values) keys.push(key);
    this.isStrange ||= keys.includes("__proto__");
    for (const key of keys.reverse()) {
      const before = this.#length;
      this.#value(Reflect.get(values, key));
      this.#part(VALUE, before);
      this.#text(KEY, key);
      this.#part(FIELD, before);
    }
  }

  #list(values: readonly unknown[]): void {
    for (let index = values.length - 1; index >= 0; index--) {
      const before = this.#length;
      this.#value(values[index]);
      this.#part(ITEM, before);
    }
  }

  #value(value: unknown): void {
    const before = this.#length;
    if (typeof value === "string") this.#text(STRING, value);
    else if (typeof value === "number") {
      const place = this.#make(8);
      this.buffer.writeDoubleLE(value, place);
      this.#byte(NUMBER);
    } else if (typeof value === "boolean" || value === null) {
      this.#byte(value === true ? 1 : 0);
      this.#byte(value === null ? NULL : BOOLEAN);
    } else if (Array.isArray(value)) {
      this.#list(value);
      this.#part(LIST, before);
    } else if (typeof value === "object") {
      this.struct(value);
      this.#part(STRUCT, before);
    } else throw new Error("Unexpected struct type."); // The SDK's words.
  }

  #text(tag: number, text: string): void {
    this.isStrange ||= !text.isWellFormed();
    const before = this.#length;
    const place = this.#make(Buffer.byteLength(text));
    this.buffer.write(text, place);
    this.#part(tag, before);
  }

  /** Writes the tag and the length of what was written since `before`. */
  #part(tag: number, before: number): void {
    this.#varint(this.#length - before);
    this.#byte(tag);
  }

  #varint(value: number): void {
    const isMore = value > GROUP;
    if (isMore) this.#varint(value >>> GROUP_BITS);
    this.#byte((value & GROUP) | (isMore ? MORE : 0));
  }

  #byte(byte: number): void {
    const place = this.#make(1);
    this.buffer[place] = byte;
  }

  /** Makes room for the next bytes, maybe in another buffer, and returns their place. */
  #make(bytes: number): number {
    this.#length += bytes;
    if (this.#length > this.buffer.length) {
      const before = this.buffer;
      this.buffer = Buffer.allocUnsafe(2 * this.#length);
      before.copy(this.buffer, this.buffer.length - before.length);
    }
    return this.buffer.length - this.#length;
  }
}

class Reader {
  isStrange = false;
  readonly #buffer: Buffer;
  #place = 0;

  constructor({ buffer, byteOffset, length }: Uint8Array) {
    this.#buffer = Buffer.from(buffer, byteOffset, length);
  }

  struct(end: number): PropertyMap {
    const fields: [key: string, value: Json][] = [];
    while (this.#place < end && !this.isStrange) {
      this.#expect(FIELD);
      const fieldEnd = this.#end();
      this.#expect(KEY);
      const key = this.#text();
      this.#expect(VALUE);
      fields.push([key, this.#value(this.#end())]);
      this.isStrange ||= this.#place !== fieldEnd;
    }
    const values: PropertyMap = {};
    for (const [key, value] of fields.sort(byKey)) values[key] = value;
    return values;
  }

  #list(end: number): Json[] {
    const values: Json[] = [];
    while (this.#place < end && !this.isStrange) {
      this.#expect(ITEM);
      values.push(this.#value(this.#end()));
    }
    return values;
  }

  #value(end: number): Json {
    const value = this.#kind(this.#buffer[this.#place++]);
    this.isStrange ||= this.#place !== end;
    return value;
  }

  #kind(tag: number | undefined): Json {
    switch (tag) {
      case NULL:
        this.#expect(0);
        return null;
      case NUMBER:
        this.#place += 8;
        return this.#place > this.#buffer.length ? this.#strange(0) : this.#buffer.readDoubleLE(this.#place - 8);
      case STRING:
        return this.#text();
      case BOOLEAN: {
        const byte = this.#buffer[this.#place++];
        return byte === 1 || (byte !== 0 && this.#strange(false));
      }
      case STRUCT:
        return this.struct(this.#end());
      case LIST:
        return this.#list(this.#end());
      default:
        return this.#strange(null);
    }
  }

  #text(): string {
    const end = this.#end();
    const text = this.#buffer.toString("utf8", this.#place, end);
    this.#place = end;
    return text;
  }

  /** Reads a length, and returns the place behind that many bytes. */
  #end(): number {
    let length = 0;
    for (let factor = 1; ; factor *= MORE) {
      const byte = this.#buffer[this.#place++] ?? this.#strange(0);
      length += (byte & GROUP) * factor;
      if (byte >= MORE) continue;
      const end = this.#place + length;
      return end > this.#buffer.length ? this.#strange(this.#place) : end;
    }
  }

  #expect(byte: number): void {
    if (this.#buffer[this.#place++] !== byte) this.isStrange = true;
  }

  #strange<Value>(value: Value): Value {
    this.isStrange = true;
    return value;
  }
}

function byKey([a]: readonly [string, Json], [b]: readonly [string, Json]): number {
  return a < b ? -1 : 1;
}

/** Makes the SDK's `Struct` keep its bytes, without a tree of messages (struct-codec.ts). Who looks into the tree finds it. */
import type { BinaryReader, BinaryWriter } from "google-protobuf";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { FRAMES_VARIABLE } from "./framed-client.ts";
import { decoded, encoded } from "./struct-codec.ts";

/** The types that the package declares lack half of it. */
interface StructClass {
  new (): Struct;
  fromJavaScript: (values: object) => Struct;
  deserializeBinaryFromReader: (struct: Struct, reader: Reader) => Struct;
  serializeBinaryToWriter: (struct: Struct, writer: Writer) => void;
  readonly prototype: {
    getFieldsMap: (this: Struct, isForLook?: boolean) => unknown;
    clearFieldsMap: (this: Struct) => unknown;
    toJavaScript: (this: Struct) => Readonly<Record<string, unknown>>;
  };
}

type Reader = BinaryReader & { getBuffer(): Uint8Array };
type Writer = BinaryWriter & { writeSerializedMessage(bytes: Uint8Array, start: number, end: number): void };

export function quickStructs(Class: StructClass, ReaderClass: new (bytes: Uint8Array) => Reader): void {
  const { fromJavaScript, deserializeBinaryFromReader, serializeBinaryToWriter } = Class;
  const { getFieldsMap, toJavaScript, clearFieldsMap } = Class.prototype;
  const kept = new WeakMap<Struct, Uint8Array>();
  const keeping = (struct: Struct, bytes: Uint8Array): Struct => {
    kept.set(struct, bytes);
    return struct;
  };

  Class.fromJavaScript = (values) => {
    // The embedded engine takes the values themselves (plain-struct.ts), and of other messages the tree.
    const bytes = process.env[FRAMES_VARIABLE] === undefined ? encoded(values) : undefined;
    return bytes === undefined ? fromJavaScript(values) : keeping(new Class(), bytes);
  };
  Class.deserializeBinaryFromReader = (struct, reader) => {
    const start = reader.getCursor();
    while (reader.nextField() && !reader.isEndGroup()) reader.skipField();
    return keeping(struct, reader.getBuffer().subarray(start, reader.getCursor()));
  };
  Class.serializeBinaryToWriter = (struct, writer) => {
    const bytes = kept.get(struct);
    if (bytes === undefined) serializeBinaryToWriter(struct, writer);
    else writer.writeSerializedMessage(bytes, 0, bytes.length);
  };
  Class.prototype.toJavaScript = function () {
    const bytes = kept.get(this);
    return (bytes && decoded(bytes)) ?? toJavaScript.call(this);
  };
  Class.prototype.getFieldsMap = function (isForLook) {
    const bytes = kept.get(this);
    kept.delete(this);
    if (bytes !== undefined) deserializeBinaryFromReader(this, new ReaderClass(bytes));
    return getFieldsMap.call(this, isForLook);
  };
  Class.prototype.clearFieldsMap = function () {
    kept.delete(this);
    return clearFieldsMap.call(this);
  };
}

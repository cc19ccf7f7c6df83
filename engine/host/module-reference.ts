/**
 * Providers that are no code of the program's own: `exports.handler=()=>require("MODULE").NAME` names an export of a
 * module, which any process can load. What a program serializes of its own functions needs the SDK's host.
 */
import type { Json } from "../model/types.ts";

export interface ModuleReference {
  module: string;
  name: string;
}

const REFERENCE = /^exports\.handler=\(\)=>require\("([\w@./-]+)"\)\.([A-Za-z_]\w*)$/;

export function moduleReference(provider: Json | undefined): ModuleReference | undefined {
  const [, module, name] = (typeof provider === "string" && REFERENCE.exec(provider)) || [];
  return module === undefined || name === undefined ? undefined : { module, name };
}

/** Options by which resources stay: a preview does without them, since all of it has to go again, and names what it leaves out. */
import * as pulumi from "@pulumi/pulumi";
import { TYPED_LINES, hostLine } from "../messages/host-lines.ts";
import type { Notice } from "../messages/notices.ts";
import { runFacts } from "./run-facts.ts";

export type LeftOutOption = Extract<Notice, { code: "option-left-out" }>["option"];

/** The command line reads the data in it. */
export function tellOptionLeftOut(kind: string, name: string, option: LeftOutOption): void {
  const asked = Object.keys(runFacts()).length > 0 ? TYPED_LINES : {};
  void pulumi.log.warn(hostLine({ code: "option-left-out", kind, id: "", name, option }, asked));
}

const stacks = new WeakSet<object>();

/** Of components, too, and of what other providers make. Our own resources see to it themselves (preview-registration.ts). */
export function leaveOptionsOut(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || stacks.has(stack)) return;
  stacks.add(stack);
  pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => {
    if (type.startsWith("pulumi-nodejs:dynamic/landform:")) return undefined;
    const custom: pulumi.CustomResourceOptions = opts;
    const kind = type.slice(type.lastIndexOf(":") + 1);
    if (custom.protect === true) tellOptionLeftOut(kind, name, "protect");
    if (custom.retainOnDelete === true) tellOptionLeftOut(kind, name, "retainOnDelete");
    return { props, opts: { ...custom, protect: false, retainOnDelete: false } };
  });
}

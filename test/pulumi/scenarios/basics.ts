import { destroy, nothing, one, previewAndUp, type Scenario, scenario } from "../scenario.ts";
import type { Program, ThingArgs } from "../toy/kit.ts";

const labelled =
  (args: ThingArgs): Program =>
  ({ Thing }) => ({ label: new Thing("a", args).label });

const knownLater =
  (size: number): Program =>
  ({ Thing, pulumi }) => {
    const a = new Thing("a", { size });
    const b = new Thing("b", { note: pulumi.interpolate`after ${a.label}`, size: a.revision });
    return { b: b.label, nested: { list: [a.revision, { id: a.id }] } };
  };

const LITERALS = { text: "ä€😀\n\"'\\", no: false, zero: 0, none: null };
const NOTE = { ...LITERALS, list: [1, [], {}, ""], deep: { a: { b: [null] } } };

export const basics: Scenario[] = [
  scenario(
    "create, update, replace and delete",
    ...[{ size: 1 }, { size: 2 }, { size: 2, kind: "square" }].flatMap((args) => previewAndUp(labelled(args))),
    ...previewAndUp(nothing),
  ),
  scenario(
    "a value that only the provider knows is unknown in the preview",
    ...[1, 5].flatMap((size) => previewAndUp(knownLater(size))),
  ),
  scenario(
    "values of every shape survive",
    ({ Thing }) => {
      const a = new Thing("a", { note: NOTE });
      return { note: a.id.apply(() => NOTE), big: 2 ** 53 - 1, fraction: 0.1, negative: -1e-7 };
    },
    one("a", { note: [{ "": "empty key", "dotted.key": 1, "[0]": true }] }),
    one("a", { note: undefined }),
  ),
  scenario(
    "dependsOn orders what shares no values",
    ({ Thing }) => {
      const a = new Thing("a");
      const b = new Thing("b", {}, { dependsOn: a });
      new Thing("c", {}, { dependsOn: [a, b] });
    },
    ({ Thing }) => {
      new Thing("b", { size: 2 }, { dependsOn: new Thing("c", { size: 2 }) });
    },
    destroy,
  ),
  scenario(
    "config and secret config",
    {
      config: { "differential:size": "3", "differential:word": { secret: "hidden word" }, "other:flag": "true" },
      program: ({ Thing, pulumi }) => {
        const config = new pulumi.Config();
        const a = new Thing("a", { size: config.requireNumber("size"), token: config.requireSecret("word") });
        return { size: a.size, token: a.token, flag: new pulumi.Config("other").getBoolean("flag") };
      },
    },
    {
      config: { "differential:size": "4", "differential:word": { secret: "another word" } },
      program: ({ Thing, pulumi }) => {
        const config = new pulumi.Config();
        const token = config.requireSecret("word");
        return { token: new Thing("a", { token, size: config.getNumber("size") }).token };
      },
    },
    destroy,
  ),
];

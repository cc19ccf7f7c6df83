import { four, one, preview, type Scenario, scenario, type Step, urn } from "../scenario.ts";
import type { Program } from "../toy/kit.ts";

const on = (...names: string[]): Step => ({ options: { targets: names.map((name) => urn(name)) } });
/** An up that leaves something to do. */
const part = (program: Program, ...names: string[]): Step => ({ program, ...on(...names), unsettled: true });

const linked =
  (kind: string): Program =>
  ({ Thing }) => {
    new Thing("b", { kind: new Thing("a", { kind }).id });
  };

export const targets: Scenario[] = [
  scenario(
    "an update of one target",
    four(1),
    preview(four(2), on("b")),
    part(four(2), "b"),
    part(four(2), "a"),
    four(2),
  ),
  scenario("creation of targets alone", part(four(1), "d"), part(four(1), "a", "d"), four(1)),
  scenario("a target that needs what is not made yet", { ...part(four(1), "b"), fails: true }, four(1)),
  scenario(
    "a removed resource that is not a target stays",
    four(1),
    { program: one("a", { size: 2 }), ...on("a", "d"), fails: true },
    part(one("a", { size: 2 }), "a", "b", "c"),
    one("a", { size: 2 }),
  ),
  scenario("a replacement of a target", linked("one"), part(linked("two"), "a"), linked("two")),
  scenario(
    "destroy of a target, and of one with its dependents",
    four(1),
    { kind: "destroy", ...on("d") },
    { kind: "destroy", ...on("b"), fails: true },
    { kind: "destroy", ...on("b", "c") },
    { kind: "destroy" },
  ),
];

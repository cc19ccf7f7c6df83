import { four, one, preview, type Scenario, scenario, type Step } from "../scenario.ts";
import type { Program } from "../toy/kit.ts";
import type { Fault } from "../toy/store.ts";

const two =
  (kind = "one", slot = "one"): Program =>
  ({ Thing }) => {
    new Thing("b", { note: new Thing("a", { kind, slot }).id });
  };

const failing = (method: Fault["method"], name: string, mode: Fault["mode"], more: Step): Step => ({
  ...{ faults: [{ method, name, mode }], fails: true },
  ...more,
});

const serially = { options: { parallel: 1 } };
const goingOn = { options: { continueOnError: true } };

export const failures: Scenario[] = [
  scenario(
    "a create fails, its dependents are not made, the next run goes on",
    failing("create", "b", "fail", { program: four(1), ...serially }),
    four(1),
  ),
  scenario("an update fails", four(1), failing("update", "b", "fail", { program: four(2), ...serially }), four(2)),
  scenario(
    "a created resource does not become ready",
    failing("create", "a", "partial", { program: four(1), ...serially }),
    preview(four(1)),
    four(1),
  ),
  scenario(
    "the old one of a replaced pair can't be deleted, the next run does it",
    two(),
    failing("delete", "a", "fail", { program: two("two") }),
    preview(two("two")),
    two("two"),
  ),
  scenario(
    "deleted before its replacement, which then can't be created",
    two(),
    failing("create", "a", "fail", { program: two("one", "two") }),
    preview(two("one", "two")),
    two("one", "two"),
  ),
  scenario(
    "inputs that the provider refuses",
    { program: one("a", { size: -1 }), fails: true },
    preview(one("a", { size: -1 }), { fails: true }),
    one("a", { size: 1 }),
    { program: one("a", { size: -1 }), fails: true },
  ),
  scenario("what is under way when another fails is finished and kept", {
    program: ({ Thing }) => {
      const slow = new Thing("slow");
      new Thing("bad");
      new Thing("after", { note: slow.label });
    },
    options: { parallel: 16 },
    faults: [
      { method: "create", name: "bad", mode: "wait", until: "create slow" },
      { method: "create", name: "slow", mode: "wait", until: "create bad", ended: true },
      { method: "create", name: "bad", mode: "fail" },
    ],
    fails: true,
  }),
  scenario(
    "going on after an error does all that does not depend on it",
    failing("create", "a", "fail", { program: four(1), ...goingOn }),
    four(1),
    // Without "b": Pulumi 3.245 then deletes `c`, which the program could not reach; the embedded engine keeps it.
    failing("update", "c", "fail", { program: four(2), ...goingOn }),
    failing("delete", "b", "fail", { kind: "destroy", ...goingOn }),
    { kind: "destroy" },
  ),
];

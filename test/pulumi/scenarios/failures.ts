import { one, type Scenario } from "../scenario.ts";
import type { Kit } from "../toy/kit.ts";

/** a <- b <- c, and d alone, which the program registers first. */
function four(size: number, kind = "one") {
  return ({ Thing }: Kit): void => {
    new Thing("d", { size });
    const a = new Thing("a", { size, kind });
    const b = new Thing("b", { size, note: a.label });
    new Thing("c", { size, note: b.label });
  };
}

const two = ({ Thing }: Kit, kind = "one", slot = "one"): void => {
  const a = new Thing("a", { kind, slot });
  new Thing("b", { note: a.id });
};

const serially = { parallel: 1 };

export const failures: Scenario[] = [
  {
    name: "a create fails, its dependents are not made, the next run goes on",
    steps: [
      { program: four(1), options: serially, faults: [{ method: "create", name: "b", mode: "fail" }], fails: true },
      { program: four(1) },
    ],
  },
  {
    name: "an update fails",
    steps: [
      { program: four(1) },
      { program: four(2), options: serially, faults: [{ method: "update", name: "b", mode: "fail" }], fails: true },
      { program: four(2) },
    ],
  },
  {
    name: "a created resource does not become ready",
    steps: [
      { program: four(1), options: serially, faults: [{ method: "create", name: "a", mode: "partial" }], fails: true },
      { kind: "preview", program: four(1) },
      { program: four(1) },
    ],
  },
  {
    name: "the old one of a replaced pair can't be deleted, the next run does it",
    steps: [
      { program: (kit) => two(kit) },
      {
        program: (kit) => two(kit, "two"),
        faults: [{ method: "delete", name: "a", mode: "fail" }],
        fails: true,
      },
      { kind: "preview", program: (kit) => two(kit, "two") },
      { program: (kit) => two(kit, "two") },
    ],
  },
  {
    name: "deleted before its replacement, which then can't be created",
    steps: [
      { program: (kit) => two(kit) },
      {
        program: (kit) => two(kit, "one", "two"),
        faults: [{ method: "create", name: "a", mode: "fail" }],
        fails: true,
      },
      { kind: "preview", program: (kit) => two(kit, "one", "two") },
      { program: (kit) => two(kit, "one", "two") },
    ],
  },
  {
    name: "inputs that the provider refuses",
    steps: [
      { program: one("a", { size: -1 }), fails: true },
      { kind: "preview", program: one("a", { size: -1 }), fails: true },
      { program: one("a", { size: 1 }) },
      { program: one("a", { size: -1 }), fails: true },
    ],
  },
  {
    name: "what is under way when another fails is finished and kept",
    steps: [
      {
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
      },
    ],
  },
  {
    name: "going on after an error does all that does not depend on it",
    steps: [
      {
        program: four(1),
        options: { continueOnError: true },
        faults: [{ method: "create", name: "a", mode: "fail" }],
        fails: true,
      },
      { program: four(1) },
      // Without "b": Pulumi 3.245 then deletes `c`, which the program could not reach; the embedded engine keeps it.
      {
        program: four(2),
        options: { continueOnError: true },
        faults: [{ method: "update", name: "c", mode: "fail" }],
        fails: true,
      },
      {
        kind: "destroy",
        options: { continueOnError: true },
        faults: [{ method: "delete", name: "b", mode: "fail" }],
        fails: true,
      },
      { kind: "destroy" },
    ],
  },
];

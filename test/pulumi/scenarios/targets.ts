import { type Scenario, one, urn } from "../scenario.ts";
import type { Kit } from "../toy/kit.ts";

/** a <- b <- c, and d alone. */
function four(size: number, first = 1) {
  return ({ Thing }: Kit): void => {
    const a = new Thing("a", { size });
    const b = new Thing("b", { size, note: a.label });
    new Thing("c", { size, note: b.label });
    new Thing("d", { size: size * first });
  };
}

export const targets: Scenario[] = [
  {
    name: "an update of one target",
    steps: [
      { program: four(1) },
      { kind: "preview", program: four(2), options: { targets: [urn("b")] } },
      { program: four(2), options: { targets: [urn("b")] }, unsettled: true },
      { program: four(2), options: { targets: [urn("a")] }, unsettled: true },
      { program: four(2) },
    ],
  },
  {
    name: "creation of targets alone",
    steps: [
      { program: four(1), options: { targets: [urn("d")] }, unsettled: true },
      { program: four(1), options: { targets: [urn("a"), urn("d")] }, unsettled: true },
      { program: four(1) },
    ],
  },
  {
    name: "a target that needs what is not made yet",
    steps: [{ program: four(1), options: { targets: [urn("b")] }, unsettled: true, fails: true }, { program: four(1) }],
  },
  {
    name: "a removed resource that is not a target stays",
    steps: [
      { program: four(1) },
      {
        program: one("a", { size: 2 }),
        options: { targets: [urn("a"), urn("d")] },
        fails: true,
      },
      {
        program: one("a", { size: 2 }),
        options: { targets: [urn("a"), urn("b"), urn("c")] },
        unsettled: true,
      },
      { program: one("a", { size: 2 }) },
    ],
  },
  {
    name: "a replacement of a target",
    steps: [
      {
        program: ({ Thing }) => {
          const a = new Thing("a", { kind: "one" });
          new Thing("b", { kind: a.id });
        },
      },
      {
        program: ({ Thing }) => {
          const a = new Thing("a", { kind: "two" });
          new Thing("b", { kind: a.id });
        },
        options: { targets: [urn("a")] },
        unsettled: true,
      },
      {
        program: ({ Thing }) => {
          const a = new Thing("a", { kind: "two" });
          new Thing("b", { kind: a.id });
        },
      },
    ],
  },
  {
    name: "destroy of a target, and of one with its dependents",
    steps: [
      { program: four(1) },
      { kind: "destroy", options: { targets: [urn("d")] } },
      { kind: "destroy", options: { targets: [urn("b")] }, fails: true },
      { kind: "destroy", options: { targets: [urn("b"), urn("c")] } },
      { kind: "destroy" },
    ],
  },
];

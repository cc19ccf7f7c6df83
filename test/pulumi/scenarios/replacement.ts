import { type Scenario, type Step, one, previewAndUp } from "../scenario.ts";
import type { Kit } from "../toy/kit.ts";

const nothing = () => undefined;

/** a <- b <- c by values. `b` is replaced when its value from `a` changes, if it takes the value as its `property`. */
function chainBy(property: "kind" | "slot" | "note", root: "kind" | "slot") {
  return (value: string) =>
    ({ Thing }: Kit): void => {
      const a = new Thing("a", { [root]: value });
      const b = new Thing("b", { [property]: a.id });
      new Thing("c", { [property]: b.id });
    };
}

function changed(program: (value: string) => Step["program"]): Step[] {
  return [{ program: program("one") }, ...previewAndUp({ program: program("two") }), { kind: "destroy" }];
}

export const replacement: Scenario[] = [
  { name: "a replacement goes through a chain", steps: changed(chainBy("kind", "kind")) },
  { name: "a replacement updates its dependents", steps: changed(chainBy("note", "kind")) },
  { name: "delete-before-replace goes through a chain", steps: changed(chainBy("slot", "slot")) },
  {
    name: "delete-before-replace of the root, dependents created first",
    steps: changed(chainBy("kind", "slot")),
  },
  {
    name: "delete-before-replace whose dependents only update",
    steps: changed(chainBy("note", "slot")),
  },
  {
    name: "delete-before-replace by option",
    steps: changed((value) => ({ Thing }) => {
      const a = new Thing("a", { kind: value }, { deleteBeforeReplace: true });
      new Thing("b", { note: a.label });
      new Thing("c", {}, { dependsOn: a });
    }),
  },
  {
    name: "a provider's delete-before-replace overruled by option",
    steps: changed((value) => ({ Thing }) => {
      const a = new Thing("a", { slot: value }, { deleteBeforeReplace: false });
      new Thing("b", { note: a.label });
    }),
  },
  {
    name: "replaceOnChanges",
    steps: [
      { program: one("a", { size: 1, note: { x: 1, y: [1, 2] } }) },
      ...previewAndUp({
        program: one("a", { size: 2, note: { x: 1, y: [1, 2] } }, { replaceOnChanges: ["size"] }),
      }),
      {
        program: one("a", { size: 2, note: { x: 1, y: [1, 3] } }, { replaceOnChanges: ["note.y[*]"] }),
      },
      {
        program: one("a", { size: 2, note: { x: 2, y: [1, 3] } }, { replaceOnChanges: ["note.y[*]"] }),
      },
      { program: one("a", { size: 3, note: 1 }, { replaceOnChanges: ["*"] }) },
    ],
  },
  {
    name: "ignoreChanges",
    steps: [
      { program: one("a", { size: 1, note: { x: 1, y: [1, 2] }, kind: "round" }) },
      ...previewAndUp({
        program: one(
          "a",
          { size: 2, note: { x: 2, y: [1, 2] }, kind: "square" },
          { ignoreChanges: ["size", "kind", "note.x"] },
        ),
      }),
      {
        program: one("a", { size: 3, note: { x: 3, y: [1, 9] } }, { ignoreChanges: ["size", "kind", "note.y[1]"] }),
      },
      // Without an ignored path below a property: only there, Pulumi 3.245 gives a replacement the old value, and the embedded engine the program's.
      { program: one("a", { size: 3, kind: "square" }, { ignoreChanges: ["size"] }) },
      { program: one("a", { size: 4 }, { ignoreChanges: ["*"] }) },
      { program: one("a", { size: 3 }) },
    ],
  },
  {
    name: "protected resources are not deleted or replaced",
    steps: [
      { program: one("a", {}, { protect: true }) },
      { program: nothing, fails: true },
      { program: one("a", { kind: "two" }, { protect: true }), fails: true },
      { kind: "preview", program: one("a", { kind: "two" }, { protect: true }), fails: true },
      { kind: "destroy", fails: true },
      { program: one("a", { size: 2 }, { protect: true }) },
      ...previewAndUp({ program: one("a", { size: 2 }, { protect: false }) }),
      { program: nothing },
    ],
  },
  {
    name: "retainOnDelete leaves the object",
    steps: [
      {
        program: ({ Thing }) => {
          new Thing("a", {}, { retainOnDelete: true });
          new Thing("b", {}, { retainOnDelete: true });
        },
      },
      {
        program: ({ Thing }) => {
          new Thing("a", { kind: "two" }, { retainOnDelete: true });
        },
      },
      { kind: "destroy" },
    ],
  },
  {
    name: "deletedWith spares the delete call",
    steps: [
      {
        program: ({ Thing }) => {
          const a = new Thing("a");
          new Thing("b", {}, { deletedWith: a });
          new Thing("c", { note: a.label }, { deletedWith: a });
        },
      },
      {
        program: ({ Thing }) => {
          const a = new Thing("a");
          new Thing("c", { note: a.label }, { deletedWith: a });
        },
      },
      { kind: "destroy" },
    ],
  },
  {
    name: "deletedWith a resource that is replaced",
    steps: changed((value) => ({ Thing }) => {
      const a = new Thing("a", { kind: value });
      new Thing("b", { kind: value }, { deletedWith: a });
    }),
  },
];

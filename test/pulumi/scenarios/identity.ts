import { type Scenario, groupType, one, previewAndUp, urn } from "../scenario.ts";

export const identity: Scenario[] = [
  {
    name: "a rename without an alias replaces, with one it does not",
    steps: [
      { program: one("a", { name: "x" }) },
      { program: one("b", { name: "x" }) },
      ...previewAndUp({ program: one("c", { name: "x" }, { aliases: [{ name: "b" }] }) }),
      { program: one("c", { name: "x" }) },
      { program: one("d", { name: "x" }, { aliases: [urn("c")] }) },
    ],
  },
  {
    name: "an alias and a change and a replacement at once",
    steps: [
      {
        program: ({ Thing }) => {
          const a = new Thing("a", { name: "x" });
          new Thing("dep", { note: a.label });
        },
      },
      {
        program: ({ Thing }) => {
          const a = new Thing("b", { name: "x", size: 2 }, { aliases: [{ name: "a" }] });
          new Thing("dep", { note: a.label });
        },
      },
      {
        program: ({ Thing }) => {
          const a = new Thing("c", { name: "x", kind: "two" }, { aliases: [{ name: "b" }] });
          new Thing("dep", { note: a.label });
        },
      },
      { kind: "destroy" },
    ],
  },
  {
    name: "a component with children, nested",
    steps: [
      {
        program: ({ Thing, Group }) => {
          const outer = new Group("outer");
          const inner = new Group("inner", { parent: outer });
          const a = new Thing("a", {}, { parent: outer });
          new Thing("b", { note: a.label }, { parent: inner });
        },
      },
      {
        program: ({ Thing, Group }) => {
          const outer = new Group("outer");
          new Thing("a", { size: 2 }, { parent: outer });
        },
      },
      { kind: "destroy" },
    ],
  },
  {
    name: "moving under a component without an alias replaces, with one it does not",
    steps: [
      { program: one("a") },
      {
        program: ({ Thing, Group, pulumi }) => {
          const group = new Group("g");
          new Thing("a", {}, { parent: group, aliases: [{ parent: pulumi.rootStackResource }] });
        },
      },
      { program: one("a", {}, { aliases: [urn("a", groupType)] }) },
      {
        program: ({ Thing, Group }) => {
          const group = new Group("g");
          new Thing("a", {}, { parent: group });
        },
      },
    ],
  },
  {
    name: "renaming a component carries its children by inherited aliases",
    steps: [
      {
        program: ({ Thing, Group }) => {
          const group = new Group("g");
          const a = new Thing("g-a", { name: "a" }, { parent: group });
          new Thing("b", { note: a.label }, { parent: group });
        },
      },
      ...previewAndUp({
        program: ({ Thing, Group }) => {
          const group = new Group("h", { aliases: [{ name: "g" }] });
          const a = new Thing("h-a", { name: "a" }, { parent: group });
          new Thing("b", { note: a.label }, { parent: group });
        },
      }),
      {
        program: ({ Thing, Group }) => {
          const group = new Group("h");
          const a = new Thing("h-a", { name: "a" }, { parent: group });
          new Thing("b", { note: a.label }, { parent: group });
        },
      },
    ],
  },
  {
    name: "options that children inherit: protect and retainOnDelete",
    steps: [
      {
        program: ({ Thing, Group }) => {
          const group = new Group("g", { protect: true });
          new Thing("a", {}, { parent: group });
        },
      },
      { kind: "destroy", fails: true },
      {
        program: ({ Thing, Group }) => {
          const kept = new Thing("kept");
          const group = new Group("g", { retainOnDelete: true });
          const a = new Thing("a", {}, { parent: group });
          new Thing("b", {}, { parent: a, retainOnDelete: false });
          new Thing("c", {}, { parent: new Thing("d", {}, { deletedWith: kept }) });
        },
      },
      { kind: "destroy" },
    ],
  },
  {
    name: "explicit providers, handed through components",
    steps: [
      {
        program: ({ Thing, Group, Provider }) => {
          const provider = new Provider("special");
          const group = new Group("g", { providers: [provider] });
          new Thing("a", {}, { parent: group });
          const b = new Thing("b", {}, { provider });
          new Thing("below", {}, { parent: new Group("under", { parent: b }) });
          new Thing("c");
        },
      },
      { program: one("c", { size: 2 }) },
      { kind: "destroy" },
    ],
  },
];

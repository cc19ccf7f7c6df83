import type { ComponentResourceOptions, CustomResourceOptions } from "@pulumi/pulumi";
import { destroy, groupType, one, previewAndUp, type Scenario, scenario, urn } from "../scenario.ts";
import type { Program, ThingArgs } from "../toy/kit.ts";

const withDependent =
  (name: string, args: ThingArgs, options?: CustomResourceOptions): Program =>
  ({ Thing }) => {
    new Thing("dep", { note: new Thing(name, args, options).label });
  };

/** A component with two children, one of which has the component's name. */
const component =
  (name: string, options?: ComponentResourceOptions): Program =>
  ({ Thing, Group }) => {
    const parent = new Group(name, options);
    const a = new Thing(`${name}-a`, { name: "a" }, { parent });
    new Thing("b", { note: a.label }, { parent });
  };

export const identity: Scenario[] = [
  scenario(
    "a rename without an alias replaces, with one it does not",
    one("a", { name: "x" }),
    one("b", { name: "x" }),
    ...previewAndUp(one("c", { name: "x" }, { aliases: [{ name: "b" }] })),
    one("c", { name: "x" }),
    one("d", { name: "x" }, { aliases: [urn("c")] }),
  ),
  scenario(
    "an alias and a change and a replacement at once",
    withDependent("a", { name: "x" }),
    withDependent("b", { name: "x", size: 2 }, { aliases: [{ name: "a" }] }),
    withDependent("c", { name: "x", kind: "two" }, { aliases: [{ name: "b" }] }),
    destroy,
  ),
  scenario(
    "a component with children, nested",
    ({ Thing, Group }) => {
      const outer = new Group("outer");
      const inner = new Group("inner", { parent: outer });
      const a = new Thing("a", {}, { parent: outer });
      new Thing("b", { note: a.label }, { parent: inner });
    },
    ({ Thing, Group }) => {
      new Thing("a", { size: 2 }, { parent: new Group("outer") });
    },
    destroy,
  ),
  scenario(
    "moving under a component without an alias replaces, with one it does not",
    one("a"),
    ({ Thing, Group, pulumi }) => {
      new Thing("a", {}, { parent: new Group("g"), aliases: [{ parent: pulumi.rootStackResource }] });
    },
    one("a", {}, { aliases: [urn("a", groupType)] }),
    ({ Thing, Group }) => {
      new Thing("a", {}, { parent: new Group("g") });
    },
  ),
  scenario(
    "renaming a component carries its children by inherited aliases",
    component("g"),
    ...previewAndUp(component("h", { aliases: [{ name: "g" }] })),
    component("h"),
  ),
  scenario(
    "options that children inherit: protect and retainOnDelete",
    ({ Thing, Group }) => {
      new Thing("a", {}, { parent: new Group("g", { protect: true }) });
    },
    { kind: "destroy", fails: true },
    ({ Thing, Group }) => {
      const kept = new Thing("kept");
      const group = new Group("g", { retainOnDelete: true });
      const a = new Thing("a", {}, { parent: group });
      new Thing("b", {}, { parent: a, retainOnDelete: false });
      new Thing("c", {}, { parent: new Thing("d", {}, { deletedWith: kept }) });
    },
    destroy,
  ),
  scenario(
    "explicit providers, handed through components",
    ({ Thing, Group, Provider }) => {
      const provider = new Provider("special");
      const group = new Group("g", { providers: [provider] });
      new Thing("a", {}, { parent: group });
      const b = new Thing("b", {}, { provider });
      new Thing("below", {}, { parent: new Group("under", { parent: b }) });
      new Thing("c");
    },
    one("c", { size: 2 }),
    destroy,
  ),
];

import { type Scenario, urn } from "../scenario.ts";
import type { Kit } from "../toy/kit.ts";

function pair(size: number) {
  return ({ Thing }: Kit) => {
    const a = new Thing("a", { size });
    return { b: new Thing("b", { note: a.label }).label };
  };
}

export const refresh: Scenario[] = [
  {
    name: "drift is taken into the state and undone by the next up",
    steps: [
      { program: pair(1) },
      { kind: "refresh", outside: (store) => store.drift("a-1", { size: 7, label: "a:7" }) },
      { kind: "preview", program: pair(1) },
      { program: pair(1) },
    ],
  },
  {
    name: "an up that refreshes first",
    steps: [
      { program: pair(1) },
      {
        outside: (store) => store.drift("a-1", { size: 7 }),
        kind: "preview",
        program: pair(1),
        options: { refresh: true },
      },
      { program: pair(2), options: { refresh: true } },
      {
        program: pair(2),
        options: { refresh: true },
        outside: (store) => store.drift("b-1", { tier: "gold", extra: "x" }),
      },
    ],
  },
  {
    name: "an object that is gone is made again",
    steps: [
      { program: pair(1) },
      { kind: "refresh", outside: (store) => store.remove("a-1") },
      { program: pair(1) },
      { program: pair(1), options: { refresh: true }, outside: (store) => store.remove("b-1") },
      { kind: "refresh", outside: (store) => ["a-2", "b-2"].forEach((id) => store.remove(id)) },
      { kind: "destroy" },
    ],
  },
  {
    name: "drift of a secret",
    steps: [
      {
        program: ({ Thing, pulumi }) => {
          new Thing("a", { token: pulumi.secret("first") });
        },
      },
      { kind: "refresh", outside: (store) => store.drift("a-1", { token: "changed outside" }) },
      {
        program: ({ Thing, pulumi }) => {
          new Thing("a", { token: pulumi.secret("first") });
        },
      },
    ],
  },
  {
    name: "a create that was interrupted",
    steps: [
      { program: pair(1) },
      {
        program: pair(1),
        edit: (deployment) => {
          const b = deployment.resources?.find((resource) => resource.urn === urn("b"));
          if (!b) throw new Error("b is not in the state");
          const { id: _, outputs: __, ...creating } = b;
          deployment.resources = deployment.resources?.filter((resource) => resource !== b);
          deployment.pending_operations = [
            { resource: { ...creating, urn: urn("b"), type: b.type }, type: "creating" },
          ];
        },
      },
      { program: pair(1) },
    ],
  },
  {
    name: "an update and a delete that were interrupted",
    steps: [
      { program: pair(1) },
      {
        // The embedded engine always reads what a killed run was working on, and Pulumi's only if it is asked to.
        kind: "refresh",
        program: pair(1),
        edit: (deployment) => {
          const resources = deployment.resources ?? [];
          deployment.pending_operations = resources
            .filter((resource) => [urn("a"), urn("b")].includes(resource.urn))
            .map((resource) => ({ resource, type: resource.urn === urn("a") ? "updating" : "deleting" }));
        },
      },
      { program: pair(2) },
    ],
  },
];

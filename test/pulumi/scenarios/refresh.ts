import { preview, type Scenario, scenario, urn } from "../scenario.ts";
import type { Program } from "../toy/kit.ts";

const pair =
  (size: number): Program =>
  ({ Thing }) => ({ b: new Thing("b", { note: new Thing("a", { size }).label }).label });

const secret: Program = ({ Thing, pulumi }) => {
  new Thing("a", { token: pulumi.secret("first") });
};

const refreshed = { options: { refresh: true } };

export const refresh: Scenario[] = [
  scenario(
    "drift is taken into the state and undone by the next up",
    pair(1),
    { kind: "refresh", outside: (store) => store.drift("a-1", { size: 7, label: "a:7" }) },
    preview(pair(1)),
    pair(1),
  ),
  scenario(
    "an up that refreshes first",
    pair(1),
    preview(pair(1), { ...refreshed, outside: (store) => store.drift("a-1", { size: 7 }) }),
    { program: pair(2), ...refreshed },
    { program: pair(2), ...refreshed, outside: (store) => store.drift("b-1", { tier: "gold", extra: "x" }) },
  ),
  scenario(
    "an object that is gone is made again",
    pair(1),
    { kind: "refresh", outside: (store) => store.remove("a-1") },
    pair(1),
    { program: pair(1), ...refreshed, outside: (store) => store.remove("b-1") },
    { kind: "refresh", outside: (store) => ["a-2", "b-2"].forEach((id) => store.remove(id)) },
    { kind: "destroy" },
  ),
  scenario(
    "drift of a secret",
    secret,
    { kind: "refresh", outside: (store) => store.drift("a-1", { token: "changed outside" }) },
    secret,
  ),
  scenario(
    "a create that was interrupted",
    pair(1),
    {
      program: pair(1),
      edit: (deployment) => {
        const b = deployment.resources?.find((resource) => resource.urn === urn("b"));
        if (!b) throw new Error("b is not in the state");
        const { id: _, outputs: __, ...creating } = b;
        deployment.resources = deployment.resources?.filter((resource) => resource !== b);
        deployment.pending_operations = [{ resource: { ...creating, urn: urn("b"), type: b.type }, type: "creating" }];
      },
    },
    pair(1),
  ),
  scenario(
    "an update and a delete that were interrupted",
    pair(1),
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
    pair(2),
  ),
];

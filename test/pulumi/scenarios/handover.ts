import type { Scenario } from "../scenario.ts";
import type { Program } from "../toy/kit.ts";

/** Some of everything that leaves a trace in the state: secrets, components, providers, options, config and outputs. */
const bitOfEverything: Program = ({ Thing, Group, Provider, pulumi }) => {
  const config = new pulumi.Config();
  const group = new Group("g");
  const a = new Thing("a", { token: config.requireSecret("word"), note: { list: ["ä", pulumi.secret(1)] } });
  const b = new Thing("b", { note: a.label, links: [a.token] }, { parent: group, additionalSecretOutputs: ["label"] });
  const c = new Thing("c", { slot: "one" }, { provider: new Provider("special"), dependsOn: b, protect: true });
  new Thing("d", { kind: "one" }, { deletedWith: c, retainOnDelete: true, ignoreChanges: ["size"] });
  group.publish({ label: b.label });
  return { token: a.token, label: b.label, plain: c.label, list: [a.revision, pulumi.secret("x")] };
};

/** Not compared step by step: one engine applies, and the other goes on (handover.test.ts). */
export const handover: Scenario = {
  name: "handover",
  steps: [
    { program: bitOfEverything, config: { "differential:word": { secret: "hidden word" } } },
    {
      program: ({ Thing, pulumi }) => {
        new Thing("a", { token: new pulumi.Config().requireSecret("word"), size: 2 });
        new Thing("c", { slot: "two", note: "replaced" }, { protect: false });
      },
    },
  ],
};

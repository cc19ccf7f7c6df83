import { previewAndUp, type Scenario } from "../scenario.ts";

export const secrets: Scenario[] = [
  {
    name: "a secret input is a secret output of the same name",
    steps: [
      ...previewAndUp({
        program: ({ Thing, pulumi }) => {
          const a = new Thing("a", { token: pulumi.secret("first"), note: "plain" });
          return { token: a.token, label: a.label };
        },
      }),
      ...previewAndUp({
        program: ({ Thing, pulumi }) => {
          const a = new Thing("a", { token: pulumi.secret("second"), note: "plain" });
          return { token: a.token, label: a.label };
        },
      }),
      { program: ({ Thing }) => ({ token: new Thing("a", { token: "second" }).token }) },
      { kind: "refresh" },
      { kind: "destroy" },
    ],
  },
  {
    name: "secrets inside objects and lists",
    steps: [
      {
        program: ({ Thing, pulumi }) => {
          const note = { list: ["open", pulumi.secret("hidden")], deep: { key: pulumi.secret({ of: "the door" }) } };
          new Thing("a", { note });
          return { list: [pulumi.secret(1), 2], all: pulumi.secret({ a: [true] }) };
        },
      },
      {
        program: ({ Thing, pulumi }) => {
          new Thing("a", { note: { list: ["open", pulumi.secret("changed")], deep: {} } });
        },
      },
    ],
  },
  {
    name: "a secret handed on stays secret, also through a replacement",
    steps: ["one", "two"].map((kind) => ({
      program: ({ Thing, pulumi }) => {
        const a = new Thing("a", { token: pulumi.secret("hidden"), kind });
        const b = new Thing("b", { note: pulumi.interpolate`${a.token} of ${a.id}` });
        new Thing("c", { links: [b.label, a.token] }, { dependsOn: a });
        return { token: pulumi.interpolate`<${a.token}>`, label: b.label };
      },
    })),
  },
  {
    name: "additionalSecretOutputs",
    steps: [
      {
        program: ({ Thing }) => {
          const a = new Thing("a", {}, { additionalSecretOutputs: ["label", "tier"] });
          new Thing("b", { note: a.label });
          return { label: a.label };
        },
      },
      {
        program: ({ Thing }) => {
          const a = new Thing("a", { size: 2 }, { additionalSecretOutputs: ["label"] });
          new Thing("b", { note: a.label });
          return { label: a.label };
        },
      },
      { program: ({ Thing }) => ({ label: new Thing("a", { size: 2 }).label }) },
    ],
  },
];

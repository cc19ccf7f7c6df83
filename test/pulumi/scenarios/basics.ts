import { type Scenario, one, previewAndUp } from "../scenario.ts";

const nothing = () => undefined;

export const basics: Scenario[] = [
  {
    name: "create, update, replace and delete",
    steps: [
      ...previewAndUp({ program: ({ Thing }) => ({ label: new Thing("a", { size: 1 }).label }) }),
      ...previewAndUp({ program: ({ Thing }) => ({ label: new Thing("a", { size: 2 }).label }) }),
      ...previewAndUp({ program: ({ Thing }) => ({ label: new Thing("a", { size: 2, kind: "square" }).label }) }),
      ...previewAndUp({ program: nothing }),
    ],
  },
  {
    name: "a value that only the provider knows is unknown in the preview",
    steps: [
      ...previewAndUp({
        program: ({ Thing, pulumi }) => {
          const a = new Thing("a", { size: 1 });
          const b = new Thing("b", { note: pulumi.interpolate`after ${a.label}`, size: a.revision });
          return { b: b.label, nested: { list: [a.revision, { id: a.id }] } };
        },
      }),
      ...previewAndUp({
        program: ({ Thing, pulumi }) => {
          const a = new Thing("a", { size: 5 });
          const b = new Thing("b", { note: pulumi.interpolate`after ${a.label}`, size: a.revision });
          return { b: b.label, nested: { list: [a.revision, { id: a.id }] } };
        },
      }),
    ],
  },
  {
    name: "values of every shape survive",
    steps: [
      {
        program: ({ Thing }) => {
          const note = {
            text: "ä€😀\n\"'\\",
            no: false,
            zero: 0,
            none: null,
            list: [1, [], {}, ""],
            deep: { a: { b: [null] } },
          };
          const a = new Thing("a", { note });
          return { note: a.id.apply(() => note), big: 2 ** 53 - 1, fraction: 0.1, negative: -1e-7 };
        },
      },
      { program: one("a", { note: [{ "": "empty key", "dotted.key": 1, "[0]": true }] }) },
      { program: one("a", { note: undefined }) },
    ],
  },
  {
    name: "dependsOn orders what shares no values",
    steps: [
      {
        program: ({ Thing }) => {
          const a = new Thing("a");
          const b = new Thing("b", {}, { dependsOn: a });
          new Thing("c", {}, { dependsOn: [a, b] });
        },
      },
      {
        program: ({ Thing }) => {
          const c = new Thing("c", { size: 2 });
          new Thing("b", { size: 2 }, { dependsOn: c });
        },
      },
      { kind: "destroy" },
    ],
  },
  {
    name: "config and secret config",
    steps: [
      {
        config: { "differential:size": "3", "differential:word": { secret: "hidden word" }, "other:flag": "true" },
        program: ({ Thing, pulumi }) => {
          const config = new pulumi.Config();
          const a = new Thing("a", { size: config.requireNumber("size"), token: config.requireSecret("word") });
          return { size: a.size, token: a.token, flag: new pulumi.Config("other").getBoolean("flag") };
        },
      },
      {
        config: { "differential:size": "4", "differential:word": { secret: "another word" } },
        program: ({ Thing, pulumi }) => {
          const config = new pulumi.Config();
          return {
            token: new Thing("a", { token: config.requireSecret("word"), size: config.getNumber("size") }).token,
          };
        },
      },
      { kind: "destroy" },
    ],
  },
];

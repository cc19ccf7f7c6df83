import { destroy, previewAndUp, type Scenario, scenario } from "../scenario.ts";
import type { Program } from "../toy/kit.ts";

const hidden =
  (word: string): Program =>
  ({ Thing, pulumi }) => {
    const a = new Thing("a", { token: pulumi.secret(word), note: "plain" });
    return { token: a.token, label: a.label };
  };

const withSecretOutputs =
  (size: number, additionalSecretOutputs: string[]): Program =>
  ({ Thing }) => {
    const a = new Thing("a", { size }, { additionalSecretOutputs });
    new Thing("b", { note: a.label });
    return { label: a.label };
  };

export const secrets: Scenario[] = [
  scenario(
    "a secret input is a secret output of the same name",
    ...previewAndUp(hidden("first")),
    ...previewAndUp(hidden("second")),
    ({ Thing }) => ({ token: new Thing("a", { token: "second" }).token }),
    { kind: "refresh" },
    destroy,
  ),
  scenario(
    "secrets inside objects and lists",
    ({ Thing, pulumi }) => {
      const note = { list: ["open", pulumi.secret("hidden")], deep: { key: pulumi.secret({ of: "the door" }) } };
      new Thing("a", { note });
      return { list: [pulumi.secret(1), 2], all: pulumi.secret({ a: [true] }) };
    },
    ({ Thing, pulumi }) => {
      new Thing("a", { note: { list: ["open", pulumi.secret("changed")], deep: {} } });
    },
  ),
  scenario(
    "a secret handed on stays secret, also through a replacement",
    ...["one", "two"].map((kind): Program => ({ Thing, pulumi }) => {
      const a = new Thing("a", { token: pulumi.secret("hidden"), kind });
      const b = new Thing("b", { note: pulumi.interpolate`${a.token} of ${a.id}` });
      new Thing("c", { links: [b.label, a.token] }, { dependsOn: a });
      return { token: pulumi.interpolate`<${a.token}>`, label: b.label };
    }),
  ),
  scenario(
    "additionalSecretOutputs",
    withSecretOutputs(1, ["label", "tier"]),
    withSecretOutputs(2, ["label"]),
    ({ Thing }) => ({ label: new Thing("a", { size: 2 }).label }),
  ),
];

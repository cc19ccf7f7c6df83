/** The versions in the documents are those of package.json, and those that a release is tested with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { repository } from "./markdown.ts";

type PackageFile = { version: string; engines: { node: string }; peerDependencies: Record<string, string> };

interface Workflow {
  jobs: { test: { strategy: { matrix: { node: string[] } } }; publish: { permissions: Record<string, string> } };
}

const read = (file: string): string => readFileSync(join(repository, file), "utf8");
const { version, engines, peerDependencies } = JSON.parse(read("package.json")) as PackageFile;
const node = engines.node.replace(">=", "");
const pulumi = /\d+\.\d+/.exec(peerDependencies["@pulumi/pulumi"] ?? "")?.[0] ?? "";

test.each(["README.md", "CHANGELOG.md"])("%s states what is supported", (file) => {
  const text = read(file);
  expect(text).toContain(`Node ${node} or newer`);
  expect(text).toContain(`\`@pulumi/pulumi\` ${pulumi} or newer`);
});

test("the changelog has the version", () => expect(read("CHANGELOG.md").split("\n")).toContain(`## ${version}`));

test("a release is tested on the oldest Node, and published with provenance", () => {
  const text = read(".github/workflows/publish.yml");
  const { jobs } = parse(text) as Workflow;
  expect(jobs.test.strategy.matrix.node).toContain(node);
  expect(jobs.publish.permissions["id-token"]).toBe("write");
  expect(text).toContain("npm publish --provenance");
});

/** The messages to a program that is wrong, or that uses a feature the embedded engine doesn't have. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deploy, startTestAccount } from "../../stack/testing.ts";
import type { Message } from "./message.ts";

const HEADER = 'import * as pulumi from "@pulumi/pulumi";\nimport * as landform from "landform";\n';

const PROGRAMS: Readonly<Record<string, string>> = {
  "it throws": 'throw new Error("no brand is set");',
  "it does not parse": "const = 1;",
  "it imports what is not there": 'import "./nothing.ts";',
  "a setting is missing": 'new pulumi.Config().require("brand");',
  "two resources of one name": 'new landform.Site("a"); new landform.Site("a");',
  "two sites of one name": 'new landform.Site("a", { name: "x" }); new landform.Site("b", { name: "x" });',
  "an input is refused": 'new landform.Product("mug", { price: -1 } as never);',
  "a lookup finds nothing": 'export const site = landform.getSiteOutput({ name: "nothing" }).id;',
  "the option import": 'new landform.Site("a", {}, { import: "site_1" });',
  "a stack reference": 'new pulumi.StackReference("organization/other/dev");',
  "a provider of another package": 'new pulumi.CustomResource("aws:s3/bucket:Bucket", "b", {});',
};

export async function* programMessages(): AsyncIterable<Message> {
  const account = await startTestAccount();
  const root = mkdtempSync(join(tmpdir(), "messages-"));
  try {
    for (const [index, [when, body]] of Object.entries(PROGRAMS).entries()) {
      const folder = join(root, String(index));
      mkdirSync(folder);
      writeFileSync(join(folder, "package.json"), '{ "type": "module", "main": "index.ts" }');
      writeFileSync(
        join(folder, "Pulumi.yaml"),
        `name: messages-${index}\nruntime: { name: nodejs, options: { typescript: false } }\n`,
      );
      writeFileSync(join(folder, "index.ts"), HEADER + body);
      const { failures, findings } = await deploy(folder, { account, operation: "preview" });
      const told = failures.map(({ message, source, guide }) =>
        [source === undefined ? message : `${source}: ${message}`, guide ?? ""].join("\n").trim(),
      );
      yield {
        when,
        text:
          [...told, ...findings.flatMap(({ weight, text }) => (weight === "warn" ? [`warning: ${text}`] : []))].join(
            "\n",
          ) || "NO FAILURE",
      };
    }
  } finally {
    await account.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** A plan from before a change of the stack's passphrase. */
import { expect, test } from "vitest";
import { failuresOf } from "../../stack/engines/pulumi/failures.ts";
import { Collector } from "../../stack/report/collect.ts";

const output =
  "Command failed with exit code 1: /bin/pulumi up --plan /tmp/plan.json\nerror: decrypting secret value: cipher: message authentication failed";
const end = { output, locked: false, holders: [] };

test("Pulumi can't open it: it is no longer what was reviewed", () => {
  const [failure, ...others] = failuresOf(end, new Collector(), { kind: "up", expected: {} });
  expect(failure).toEqual({ cause: "stale", message: expect.stringContaining("Preview again and review") as string });
  expect(failure?.message).not.toContain("/bin/pulumi");
  expect(others).toEqual([]);
});

test("without a plan it is the stack's own secrets", () => {
  const [failure] = failuresOf(end, new Collector(), { kind: "up" });
  expect(failure).toEqual({ cause: "operation", message: expect.stringContaining("Pulumi.STACK.yaml") as string });
});

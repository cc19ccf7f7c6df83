import { expect, test } from "vitest";
import { heldToReview } from "../../stack/plan/saved-plan.ts";

type Arguments = Parameters<typeof heldToReview>;

const deleted = {
  op: "delete",
  urn: "urn:pulumi:dev::test::landform:index:Product::mug",
  type: "Product",
  name: "mug",
  fields: [],
};

async function refusal(around?: Arguments[3]): Promise<string> {
  const saved = { changes: [], engines: {} } as unknown as Arguments[0];
  const planned = { report: { changes: [deleted] }, plan: {} } as unknown as Arguments[1];
  const engine = { changedSecrets: () => Promise.resolve(undefined), records: () => Promise.resolve([]) };
  const session = { engine } as unknown as Arguments[2];
  return heldToReview(saved, planned, session, around).then(String, (error: unknown) => String(error));
}

test("where one push has landed several requests, ci apply says how each is applied", async () => {
  expect(await refusal({ inCi: true })).toMatch(
    /the reviewed plan doesn't change it\n.*a merge queue.*the earliest first\.$/,
  );
  expect(await refusal()).toMatch(/review the new plan\.$/);
});

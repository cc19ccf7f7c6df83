import { expect, test } from "vitest";
import { holdersIn } from "../../stack/engines/pulumi/failures.ts";
import { tellsOfLostLock } from "../../stack/engines/pulumi/operation.ts";

const PROBLEM =
  "error: there was a problem deleting the lock at PLACE/.pulumi/locks/organization/test/dev/1.json, manual clean up may be required: ";

test("a lock that isn't there at the end of its run was taken; one that can't be given back was not", () => {
  for (const place of ["s3://team", "postgres://****:****@host/team", "file:///srv"]) {
    const problem = PROBLEM.replace("PLACE", place);
    expect(tellsOfLostLock(`${problem}blob (key "k") (code=NotFound): no such file`)).toBe(true);
    expect(tellsOfLostLock(`${problem}blob (key "k") (code=Unknown): key not found: k`)).toBe(true);
    expect(tellsOfLostLock(`${problem}blob (key "k") (code=Unknown): connection refused`)).toBe(false);
  }
});

test("who holds the locks that Pulumi names", () => {
  const told = `error: the stack is currently locked by 2 lock(s). Either wait
  s3://team/1.json?region=x: created by ann@one (pid 12) at 2026-11-26T03:00:00Z
  s3://team/2.json?region=x: created by bo@two (pid 13) at 2026-11-26T03:00:01Z`;
  expect(holdersIn(told).map(({ username, hostname, pid }) => [username, hostname, pid])).toEqual([
    ["ann", "one", 12],
    ["bo", "two", 13],
  ]);
});

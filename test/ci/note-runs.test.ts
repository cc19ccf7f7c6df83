/** The note keeps the result of an apply when its job runs again. Each other run gets a line. */
import { expect, test } from "vitest";
import { withRun } from "../../ci/note.ts";

let minute = 0;
const run = (acted: boolean, verdict: string) => {
  const at = new Date(Date.UTC(2026, 10, 1, 12, minute++)).toISOString();
  return { at, acted, verdict, write: (room: number) => `### ${verdict}\n\nAll of it`.slice(0, room) };
};
const ROOM = 54_000;

test("a plan makes way for the apply, and a run that did nothing is a line below what the first one did", () => {
  const first = withRun("Plan for `a`\n\n### 1 to update", run(true, "1 updated"), ROOM);
  expect(first).toMatch(/^<!-- landform:run \S+ acted 1 updated -->\n### 1 updated\n\nAll of it$/);
  const second = withRun(first, run(false, "No changes"), ROOM);
  expect(second.startsWith(first)).toBe(true);
  expect(second).toMatch(/All of it\n\n\*\*Other runs of this job\*\*\n\n- 2026-11-01T12:01:00.000Z: No changes$/);
  const third = withRun(second, run(false, "Refused"), ROOM);
  expect(third).toBe(`${second}\n- 2026-11-01T12:02:00.000Z: Refused`);
});

test("of two runs that did something the latter stands whole, and the former in its line", () => {
  const failed = withRun(undefined, run(true, "Failed: 1 created, 1 failed"), ROOM);
  const after = withRun(failed, run(true, "1 updated -->"), ROOM);
  expect(after).toMatch(/^<!-- landform:run \S+ acted 1 updated → -->\n### 1 updated -->/);
  expect(after).toMatch(/- \S+Z: Failed: 1 created, 1 failed$/);
  // The code host gives the text back as it was written.
  expect(withRun(after.trim(), run(false, "No changes"), ROOM).startsWith(after)).toBe(true);
});

test("a refusal makes way, told in its line; the same run is told once; of many runs the last five", () => {
  const done = run(true, "1 updated");
  const whole = withRun(withRun(undefined, run(false, "Refused"), ROOM), done, ROOM);
  expect(whole).toMatch(/### 1 updated[^]*- \S+Z: Refused$/);
  expect(withRun(whole, done, ROOM)).toBe(whole);
  let text = whole;
  for (let index = 0; index < 9; index += 1)
    text = withRun(text, run(false, `No changes ${"x".repeat(index * 400)}`), ROOM);
  expect(text.match(/^- /gm)).toHaveLength(5);
  expect(text).toContain("### 1 updated");
  expect(text.length).toBeLessThan(4_500);
});

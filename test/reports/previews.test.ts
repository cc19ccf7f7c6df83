/** The comments about a preview environment on its change, as files for people to look at, and the rules for any text in them. */
import { describe, expect, test } from "vitest";
import { joined, partsOf } from "../../ci/note.ts";
import { previewMarkdown } from "../../story/environment.ts";
import { previews } from "./previews.ts";

const told = { project: "spring", name: "pr-12", line: "Preview of `aaaaaaaaaaaa` · [the run](https://ci.example/1)" };

describe.each(Object.entries(previews))("%s", (name, outcome) => {
  const text = previewMarkdown({ ...told, outcome });

  test("as it was", () =>
    expect(`${text}\n`).toMatchFileSnapshot(`golden/previews/${name.replaceAll(/[ ,]+/g, "-")}.md`));

  test("fits, is whole, and is no other part", () => {
    for (const room of [20_000, 6_000]) {
      const fitted = previewMarkdown({ ...told, outcome }, room);
      expect(fitted.length).toBeLessThanOrEqual(room);
      expect(fitted.match(/^<details>/gm)?.length).toBe(fitted.match(/^<\/details>/gm)?.length);
      expect(partsOf(joined("<!-- ours -->", { plan: "the plan", preview: fitted }))).toEqual({
        plan: "the plan",
        preview: fitted.trim(),
      });
    }
  });

  test("nobody else's text is more than text", () => {
    // Text within a line of code is shown as it is.
    const outside = text.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "").replaceAll(told.line, "");
    const tags = new Set(outside.match(/<[^>\s]*>?/g));
    expect([...tags].filter((tag) => !/^<\/?(details|summary|b)>$/.test(tag))).toEqual([]);
    const pictures = /!\[[\w ,-]+\]\(https:\/\/host\.example\/pictures\/[\w-]+\.png\?raw=true\)/g;
    expect(outside.replaceAll("[the run](https://ci.example/1)", "").replaceAll(pictures, "")).not.toMatch(
      /@everyone|\]\(|^::/m,
    );
    // eslint-disable-next-line no-control-regex -- that is what is looked for
    expect(text).not.toMatch(/\u001b/);
  });
});

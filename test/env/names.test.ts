/** The names of environments, of their paths and of their objects. */
import { describe, expect, test } from "vitest";
import { environmentName } from "../../stack/env/record.ts";
import {
  isEnvironmentName,
  prefixOf,
  previewName,
  previewSlug,
  tokenFrom,
} from "../../provider/definition/in-preview.ts";

describe("an environment's name", () => {
  test("of a pull request is its number", () => expect(environmentName({ pr: 12 })).toBe("pr-12"));

  test.each(["feature/Spring Sale", "ünïcode", "///", "x", "a".repeat(300), "-", "release/1.2.3", "main"])(
    "of the branch %j is short, plain, and told to be one",
    (branch) => {
      const name = environmentName({ branch });
      expect(name).toMatch(/^br-[a-z0-9](?:[a-z0-9-]*[a-z0-9])?-[0-9a-f]{6}$/);
      expect(name.length).toBeLessThanOrEqual(50);
      expect(isEnvironmentName(name)).toBe(true);
    },
  );

  test("branches that differ in what a name can't have differ in their names", () => {
    const names = ["a/b", "a-b", "A/b", "a_b", `${"x".repeat(60)}1`, `${"x".repeat(60)}2`].map((branch) =>
      environmentName({ branch }),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(["dev", "prod", "pr-x", "pr-012x", "br-", "branch-abcdef", "br-x-ABCDEF"])("%s is none", (stack) => {
    expect(isEnvironmentName(stack)).toBe(false);
  });
});

const prefix = prefixOf("pr-12", tokenFrom(Uint8Array.from([0, 1, 2, 3, 4, 250, 251, 252, 253, 254])));

describe("paths", () => {
  test.each([
    ["offer", "path", `${prefix}/offer`],
    ["/a/b/", "path", `${prefix}/a/b`],
    ["a/b", "dash", `${prefix}-a-b`],
    ["", "path", `${prefix}/index`],
    [undefined, "dash", `${prefix}-index`],
  ] as const)("%j in the style %s", (slug, style, expected) => expect(previewSlug(prefix, slug, style)).toBe(expected));

  test("a page that is called like the root's is beside it, however the service writes it", () => {
    const [one, other] = ["Index", "index"].map((slug) => previewSlug(prefix, slug, "path").toLowerCase());
    expect(one).toMatch(new RegExp(`^${prefix}/index-[0-9a-f]{8}$`));
    expect(other).toBe(one);
  });

  test("long ones are cut, and stay apart", () => {
    const long = ["1", "2"].map((end) => previewSlug(prefix, `${"long/".repeat(60)}${end}`, "path"));
    expect(new Set(long).size).toBe(2);
    for (const slug of long) {
      expect(slug.length).toBeLessThanOrEqual(100);
      expect(slug.startsWith(`${prefix}/`)).toBe(true);
    }
  });
});

test("a name begins with the prefix", () => expect(previewName(prefix, "Offer")).toBe(`${prefix} Offer`));

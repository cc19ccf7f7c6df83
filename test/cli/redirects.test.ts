/** Addresses that pages left: how the history remembers them, and the redirects written for them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { movesIn, type Redirect, type StoredResource } from "../../stack/redirects.ts";
import { renderRedirects } from "../../story/redirects.ts";
import { afterMove, type FormerAddress } from "../../provider/values/addresses.ts";
import { rounds } from "../suite/parts.ts";

const at = (path: string): string => `https://a.example/${path}`;

describe("what is remembered", () => {
  const through = (...paths: string[]): FormerAddress[] =>
    paths
      .slice(1)
      .reduce<FormerAddress[]>(
        (former, path, index) => afterMove(former, at(paths[index] ?? ""), at(path), String(index)),
        [],
      );

  test("each address that was left, with when", () =>
    expect(through("a", "b", "c")).toEqual([
      { url: at("a"), until: "0" },
      { url: at("b"), until: "1" },
    ]));

  test.each([
    ["back where it was", ["a", "b", "a"], []],
    ["half of the way back", ["a", "b", "c", "b"], [at("a")]],
    ["a slash at the end", ["a", "a/"], []],
    ["the same twice", ["a", "a"], []],
  ])("%s", (_, paths, left) => expect(through(...paths).map(({ url }) => url)).toEqual(left));
});

const page = (name: string, url: string | undefined, ...former: [path: string, until: string][]): StoredResource => ({
  urn: `urn:pulumi:dev::test::pulumi-nodejs:dynamic/landform:Page::${name}`,
  type: "pulumi-nodejs:dynamic/landform:Page",
  id: name,
  outputs: {
    ...(url === undefined ? { status: "draft", url: null } : { status: "published", url }),
    __declared: { former: former.map(([path, until]) => ({ url: at(path), until })) },
  },
});

const moves = (...pages: StoredResource[]) =>
  movesIn(pages, new Map(), new Map()).redirects.map(({ from, to }) => `${from} ${to}`);

describe("what is redirected", () => {
  test("a chain leads to its end at once", () =>
    expect(moves(page("p", at("c"), ["a", "1"], ["b", "2"]))).toEqual(
      ["a", "b"].map((from) => `${at(from)} ${at("c")}`),
    ));

  test("leaves out an address that another page has now, in the stack or beside it", () => {
    expect(moves(page("p", at("b"), ["a", "1"]), page("q", at("a")))).toEqual([]);
    const live = new Map([["theirs", at("a/")]]);
    expect(movesIn([page("p", at("b"), ["a", "1"])], live, new Map())).toEqual({ redirects: [], taken: [at("a")] });
  });

  test("to where the account shows the page, wherever the state has it", () => {
    const { redirects } = movesIn([page("p", at("b"), ["a", "1"])], new Map([["p", at("moved-by-hand")]]), new Map());
    expect(redirects.map(({ to }) => to)).toEqual([at("moved-by-hand")]);
  });

  test("under every domain of the site, and to another site as it is", () => {
    const domains = new Map([["site", ["a.example", "a.builder.example"]]]);
    const { redirects } = movesIn(
      [page("p", at("b"), ["a", "1"]), page("q", "https://b.example/q", ["q", "1"])],
      new Map(),
      domains,
    );
    expect(redirects.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "https://a.builder.example/a https://a.builder.example/b",
      "https://a.builder.example/q https://b.example/q",
      `${at("a")} ${at("b")}`,
      `${at("q")} https://b.example/q`,
    ]);
  });
});

const PLACES = ["a.example/", "a.example/a", "a.example/A", "a.builder.example/b", "a.example/%C3%B6", "b.example/a"];

describe("whatever moved where", () => {
  /** Three pages take five paths of a site with two domains, and of another site, at random. */
  test("a redirect leads to a page at once, and none begins where a page is", () => {
    const domains = new Map([["site", ["a.example", "a.builder.example"]]]);
    const where = fc.option(fc.constantFrom(...PLACES), { nil: undefined });
    const walk = fc.array(fc.tuple(fc.nat(2), where), { maxLength: 20 });
    fc.assert(
      fc.property(walk, (steps) => {
        const pages = [0, 1, 2].map(() => ({ url: undefined as string | undefined, former: [] as FormerAddress[] }));
        for (const [time, [index, place]] of steps.entries()) {
          const one = pages[index];
          const url = place && `https://${place}`;
          if (!one || (url && pages.some((other) => other.url === url))) continue;
          one.former = afterMove(one.former, one.url, url, String(time).padStart(3, "0"));
          one.url = url;
        }
        const stored = pages.map(({ url, former }, index) => ({
          ...page(String(index), url),
          outputs: {
            ...page("", url).outputs,
            __declared: { former: former.map((one) => ({ ...one })) },
          },
        }));
        const { redirects } = movesIn(stored, new Map(), domains);
        const form = (url: string): string => decodeURIComponent(url.replace(/\/$/, "")).toLowerCase();
        const both = (url: string) => [url, url.replace("//a.example", "//a.builder.example")].map(form);
        const open = new Set(pages.flatMap(({ url }) => (url ? both(url.replace("a.builder.", "a.")) : [])));
        for (const { from, to } of redirects) {
          expect(open.has(form(to))).toBe(true);
          expect(open.has(form(from))).toBe(false);
        }
        expect(new Set(redirects.map(({ from }) => form(from))).size).toBe(redirects.length);
      }),
      { numRuns: rounds({ quick: 300, all: 1_000, soak: 20_000 }) },
    );
  });
});

const redirect = (from: string, to: string): Redirect => ({
  from: new URL(from).href,
  to: new URL(to).href,
  since: "2026-01-02T03:04:05Z",
  resource: 'Page/the "best", first',
});

/** The test shows how each of them reads the form: nginx 1.22, @netlify/redirect-parser 15, path-to-regexp 6.1 (2026-11-22). */
describe("forms", () => {
  const hard = [
    redirect("https://a.example/we$ird(1)*:x+y", "https://b.example/t$arget(2)*:z"),
    redirect("https://a.example/sch%C3%B6n", "https://a.example/très-bon"),
    redirect("https://a.example/quo%22te%5Cback", "https://a.example/c,omma;{x}"),
    redirect("https://a.example/", "https://a.example/home"),
  ];

  test("nginx: decoded paths, no variable, both forms of a path", () =>
    expect(renderRedirects(hard, "nginx").split("\n").slice(2)).toEqual([
      "map $host$uri $landform_moved {",
      '    default "";',
      '    "a.example/we$ird(1)*:x+y" "https://b.example/t%24arget(2)*:z";',
      '    "a.example/we$ird(1)*:x+y/" "https://b.example/t%24arget(2)*:z";',
      '    "a.example/schön" "https://a.example/tr%C3%A8s-bon";',
      '    "a.example/schön/" "https://a.example/tr%C3%A8s-bon";',
      String.raw`    "a.example/quo\"te\\back" "https://a.example/c,omma;%7Bx%7D";`,
      String.raw`    "a.example/quo\"te\\back/" "https://a.example/c,omma;%7Bx%7D";`,
      '    "a.example/" "https://a.example/home";',
      "}",
      "",
    ]));

  test("netlify: no pattern", () =>
    expect(renderRedirects(hard, "netlify").split("\n").slice(1, 3)).toEqual([
      "https://a.example/we$ird(1)%2A%3Ax+y  https://b.example/t$arget(2)%2A%3Az  301!",
      "https://a.example/sch%C3%B6n  https://a.example/tr%C3%A8s-bon  301!",
    ]));

  test("vercel: neither source, host nor target is a pattern", () => {
    const { redirects } = JSON.parse(renderRedirects(hard, "vercel")) as { redirects: unknown[] };
    expect(redirects[0]).toEqual({
      source: String.raw`/we$ird\(1\)\*\:x\+y`,
      has: [{ type: "host", value: String.raw`a\.example` }],
      destination: "https://b.example/t$arget%282%29%2A%3Az",
      statusCode: 301,
    });
    expect(redirects).toHaveLength(hard.length);
  });

  test("cloudflare and csv: commas and quotes stay in their cell", () => {
    expect(renderRedirects(hard.slice(2, 3), "cloudflare")).toBe(
      'https://a.example/quo%22te%5Cback,"https://a.example/c,omma;%7Bx%7D",301,TRUE\n',
    );
    expect(renderRedirects(hard.slice(3), "csv")).toBe(
      'from,to,since,resource\r\nhttps://a.example/,https://a.example/home,2026-01-02T03:04:05Z,"Page/the ""best"", first"\r\n',
    );
  });

  test.each(["nginx", "netlify", "vercel", "cloudflare", "csv"] as const)(
    "%s: none is an empty file of its form",
    (format) => expect(renderRedirects([], format)).not.toContain("https://"),
  );
});

// @module-tag thorough
/** Pages with plain `pulumi up`, where nobody tells the provider which objects the run deletes at its end, and nobody reads its lines first. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Machine } from "../faults/whole/machine.ts";
import { editInApp, inTheApp } from "../suite/app.ts";
import { realEngine } from "../suite/parts.ts";
import { inTest } from "../suite/opened.ts";

const VARIABLES = { brand: "Acme", product_count: "12", product: "Mug", support_email: "help@mugs.example" };

/** A site, and pages at its paths by their names. */
const program = (pages: Record<string, string>): string =>
  [
    'import * as landform from "landform";',
    'const { id: siteId } = new landform.Site("main.example", {});',
    ...Object.entries(pages).map(
      ([name, slug]) =>
        `new landform.Page("${name}", { templateId: "tpl-hero", variables: ${JSON.stringify(VARIABLES)}, publish: { siteId, slug: "${slug}" } });`,
    ),
  ].join("\n");

describe.skipIf(realEngine === undefined)("plain pulumi up", { timeout: 240_000 }, () => {
  test("a page's secret texts are in no line, neither the program's nor a person's", async () => {
    const machine = await inTest(Machine.open({ kind: "plain pulumi up", form: "program", path: realEngine }));
    const declare = (title: string): void => {
      const content = `{ "hero.title": pulumi.secret("${title}"), "hero.text": "By {{brand}}" }`;
      const variables = JSON.stringify(VARIABLES).replace('"Acme"', 'pulumi.secret("Hushed Brand")');
      machine.write(
        "index.ts",
        `import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";
const { id: siteId } = new landform.Site("main.example", {});
new landform.Page("offer", { templateId: "tpl-hero", content: ${content}, variables: ${variables}, publish: { siteId, slug: "offer" } });`,
      );
    };
    const up = async (): Promise<string> => {
      const { code, said } = await machine.run(["up"]);
      expect(code, said).toBe(0);
      expect(said).not.toMatch(/hush|WORDS/i);
      return said;
    };
    declare("Hush one");
    await up();
    const [page] = await inTheApp<{ id: string }[]>(machine, "GET", "/pages");
    const edit = (updates: Record<string, string>) => editInApp(machine, page?.id, updates);
    await edit({ "hero.title": "WORDS of a person", "hero.note": "Seen beside Hushed Brand" });
    declare("Hush two");
    const said = await up();
    expect(said).toMatch(/somebody has changed values that this run was to write: hero.title "\[secret\]"/);
    expect(said).toContain('hero.note "Seen beside [secret]"');
    await edit({ "hero.title": "Hush one", "hero.note": "" });
    await up();
    await up();
  });

  test("the path of a page that goes is refused with the way to get it, which works", async () => {
    const machine = await inTest(Machine.open({ kind: "plain pulumi up", form: "program", path: realEngine }));
    const declare = (pages: Record<string, string>): void =>
      writeFileSync(join(machine.folder, "index.ts"), program(pages));
    const succeeds = async (): Promise<void> => {
      const { code, said } = await machine.run(["up"]);
      expect(code, said).toBe(0);
    };
    const live = () =>
      (machine.emulator.records()["pages"] ?? []).map((page) => {
        const { pageName, status, slug } = page as unknown as Record<string, unknown>;
        return { pageName, status, slug };
      });
    declare({ old: "reused", shop: "shop" });
    await succeeds();
    declare({ fresh: "reused", mover: "shop" });
    const refused = await machine.run(["up"]);
    expect(refused.code).not.toBe(0);
    expect(refused.said.replaceAll(/\s+/g, " ")).toMatch(
      /page page_\w+ .*has the path \/(reused|shop) .*delete the page by an up/,
    );
    declare({});
    await succeeds();
    declare({ fresh: "reused", mover: "shop" });
    await succeeds();
    const wanted = [
      { pageName: "fresh", status: "published", slug: "reused" },
      { pageName: "mover", status: "published", slug: "shop" },
    ];
    expect(live()).toEqual(expect.arrayContaining(wanted));
    expect(live()).toHaveLength(2);
    await succeeds();
    expect(live()).toEqual(expect.arrayContaining(wanted));
    const { code, said } = await machine.run(["preview"]);
    expect(code, said).toBe(0);
  });
});

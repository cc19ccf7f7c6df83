import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allNodes,
  applyContent,
  contentFields,
  type PageDocument,
  patchNode,
  type RenderInput,
  renderPage,
  templates,
} from "../../emulator/document/index.ts";
import { anyDocument, anyText, fromTemplate } from "./arbitraries.ts";

const render = (document: PageDocument, input: Partial<RenderInput> = {}): string =>
  renderPage({ page: { id: "p1", page_name: "Offer" }, document, formAction: "/send", ...input });

/** Returns all tags with the names of their attributes, and any `<` that opens none: markup in content would change this. */
const skeleton = (html: string): string[] =>
  [...html.matchAll(/<(?:(\/?[a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>)?/gi)].map(
    ([, name, attributes]) => `${name ?? "<"}${(attributes ?? "").replace(/="[^"]*"/g, "")}`,
  );

const filled = (document: PageDocument, value: string, type: "text" | "url" | "image"): PageDocument =>
  applyContent(
    document,
    Object.fromEntries(contentFields(document).flatMap((field) => (field.type === type ? [[field.key, value]] : []))),
  ).document;

const heroCta = (url: string, funnelNextUrl: string | null = null): string | undefined => {
  const { document } = applyContent(fromTemplate("tpl-hero"), { "hero.cta.url": url, "hero.cta.text": "Go on" });
  return /<a href="([^"]*)"[^>]*>Go on</.exec(render(document, { funnelNextUrl }))?.[1];
};

describe("rendering", () => {
  test.each(templates.map(({ id }) => id))("no text in %s can become markup", (id) => {
    const document = fromTemplate(id);
    const oneLine = anyText.map((text) => `x${text.replace(/\s/g, " ")}`);
    const expected = skeleton(render(filled(document, "x", "text")));
    fc.assert(
      fc.property(oneLine, (text) => {
        expect(skeleton(render(filled(document, text, "text")))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  test("any document comes out as a page", () =>
    fc.assert(
      fc.property(anyDocument, anyText, (document, name) => {
        const html = render(document, { page: { id: name, page_name: name }, site: { name }, formAction: name });
        expect(html.startsWith("<!doctype html>\n<html")).toBe(true);
        expect(html).not.toMatch(/<script>alert|<img src=x/);
      }),
    ));

  const scripts = [
    "javascript:alert(1)",
    " JAVA\nSCRIPT:alert(1)",
    "\u0001javascript:x",
    "data:text/html,x",
    "vbscript:x",
  ];
  test.each(scripts)("the link %j leads nowhere", (url) => {
    expect(heroCta(url)).toBe("#form");
    expect(render(filled(fromTemplate("tpl-sales"), url, "image"))).not.toContain(url.trim());
  });

  const links = ["https://shop.example/?a=1&b=2", "/next", "mailto:a@mail.example", "?x=a:b", "#start"];
  test.each(links)("the link %s is kept, escaped", (url) => expect(heroCta(url)).toBe(url.replace("&", "&amp;")));

  test("a button without a URL leads to the next step, or else to the form of the page", () => {
    expect(heroCta("", "http://next.localhost:1/b")).toBe("http://next.localhost:1/b");
    expect(heroCta("")).toBe("#form");
    expect(heroCta("/own", "/next")).toBe("/own");
    expect(heroCta("", "javascript:alert(1)")).toBe("#form");
  });

  test("inline styles cannot leave their attribute or load anything", () => {
    const document = fromTemplate("tpl-hero");
    const node = allNodes(document).find((one) => one.misc.name === "hero.title");
    const style = {
      color: "red",
      marginTop: "2rem",
      background: "url(https://x.example/a.png)",
      width: '1px" onclick="x',
      height: "1px;position:fixed",
      "a b": "1",
    };
    const html = render(patchNode(document, node?.id ?? "", { style })?.document ?? document);
    expect(html).toContain('style="color:red;margin-top:2rem;width:1px&quot; onclick=&quot;x"');
  });

  test("a heading has one of six levels, and a look is one of a list, whatever a patch says", () => {
    const document = fromTemplate("tpl-hero");
    const node = allNodes(document).find((one) => one.misc.name === "hero.title");
    expect(
      render(patchNode(document, node?.id ?? "", { misc: { level: "1 onclick=x", look: "'x" } })?.document ?? document),
    ).not.toContain("onclick");
  });

  test("every control has a label and every picture an alternative text", () => {
    for (const { id } of templates) {
      const html = render(fromTemplate(id));
      const controls = [...html.matchAll(/<(?:input|textarea)(?! type="(?:hidden|radio)")[^>]* id="([^"]+)"/g)];
      for (const [, control] of controls) expect(html).toContain(`<label for="${control ?? ""}">`);
      expect(html.match(/<img (?![^>]*alt=")/g)).toBeNull();
    }
  });

  test("forms post plain fields, and name themselves", () => {
    const document = fromTemplate("tpl-hero");
    const form = allNodes(document).find((node) => node.type === "form")?.id ?? "";
    const html = render(document, { formAction: "/send?a=1&b" });
    expect(html).toContain('method="post" action="/send?a=1&amp;b"');
    expect(html).toContain(`<input type="hidden" name="form_id" value="${form}">`);
    expect(html).toMatch(/<input type="email"[^>]* name="email" required/);
    expect(render(document, { submitted: form })).not.toContain("<form");
    expect(render(document, { submitted: form })).toContain("Your invitation is on its way");
    expect(render(document, { submitted: form })).not.toContain(">Continue</a>");
    const goOn = '<a href="/next" class="btn btn-primary">Continue</a>';
    expect(render(document, { submitted: form, funnelNextUrl: "/next" })).toContain(goOn);
  });

  test("with a delay, what comes after its marker waits; without one, nothing does", () => {
    const document = fromTemplate("tpl-sales");
    const delay = { time: 2.5, sync_with_video: false, scroll_into_view: true, video_node_id: null };
    const [before, after] = render({ ...document, delay }).split('<div class="later" data-delay="2.5" data-scroll="">');
    expect(before).toContain("planned in ten minutes");
    expect(after).toContain("One price, paid once");
    expect(render({ ...document, delay: { ...delay, time: 0 } })).not.toContain('class="later"');
    expect(render(document)).not.toContain('class="later"');
  });
});

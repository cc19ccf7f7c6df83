/** A template string with an Output in it: the check refuses it by the property's name, and nobody publishes it as text. */
import { beforeAll, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const PROGRAM = `
const first = new landform.Page("first", { templateId: "tpl-hero" });
new landform.Page("second", {
  templateId: "tpl-hero",
  productLabel: \`after \${first.id}\`,
  content: { "hero.title": \`See \${first.name}\`, "hero.text": JSON.stringify({ id: first.id }) },
  tags: ["plain", \`of \${first.id}\`],
});
`;

onBothEngines((engine, path) => {
  const desk = NearDesk.all();
  beforeAll(() => desk.program(PROGRAM));

  test("each place is named, with what to write instead, and nothing is sent", async () => {
    const env = { PATH: path(desk.env["PATH"] ?? "") };
    const { code, stdout, stderr } = await desk.run(["preview", "--engine", engine], { env });
    const told = stdout + stderr;
    expect(code, told).toBe(4);
    for (const place of ["productLabel", 'content["hero.title"]', 'content["hero.text"]', "tags[1]"])
      expect(
        told.split("\n").filter((line) => line.includes(place) && line.includes("was made from an Output")),
      ).not.toEqual([]);
    expect(told).toContain("pulumi.interpolate");
    expect(told).not.toContain("Calling [");
    expect(desk.writes()).toEqual([]);
  });
});

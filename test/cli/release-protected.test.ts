/** Values of people on pages of a release are protected as on a page alone. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

/** `other`: the title of the other page of the release. */
const manifest = (other = "Thanks"): void =>
  desk.declare(
    sited(
      [hero("offer", { title: "One", more: ", name: Offer" }), hero("thanks", { title: other })],
      "releases: { launch: { pages: [offer, thanks] } }\n",
    ),
  );

const id = (): unknown => desk.rows("pages").find(({ siteId, slug }) => siteId !== null && slug !== "thanks")?.id;
const offer = () => desk.rows("pages").find((row) => row.id === id());

onBothEngines((...on) => {
  test("a run that releases another page learns nothing that people did", async () => {
    desk.on(...on);
    manifest();
    await desk.applies();
    await desk.publishes("Offer", "people");
    await desk.edits("Offer", { "hero.title": "Half a thought" });
    manifest("Many thanks");
    await desk.applies();
    expect(offer()).toMatchObject({ slug: "people" });
    await desk.applies();
    expect(offer()).toMatchObject({ slug: "people" });
    expect(await desk.drafts("Offer", "hero.title")).toBe("Half a thought");
    // A refresh finds both, as drift.
    expect(await desk.says(0, "preview", "--refresh")).toMatch(/"people" → "offer"/);
    expect(await desk.says(0, "preview", "--refresh")).toMatch(/"Half a thought" → "One"/);
  });
});

test("an address that the service gives otherwise than foretold plans nothing", async () => {
  desk.declare(sited(["  none: {}\n"]));
  await desk.applies();
  const linking = hero("offer", { title: "One" }).replace("content: {", "$& hero.cta.url: { ref: pages.thanks.url },");
  desk.declare(sited([linking, hero("thanks")], "releases: { launch: { pages: [offer, thanks] } }\n"));
  expect(await desk.says(0, "preview")).toContain("https://sited-example.localhost/thanks");
  await desk.applies();
  expect(await desk.drafts("offer", "hero.cta.url")).toMatch(/^http:.*:\d+\/thanks$/);
  await desk.applies("--refresh");
});

/** Values of people on pages of a release are protected as on a page alone: their name, project, address and unpublished texts. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { BRIEF, hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

/** `other`: the title of the other page of the release. */
const manifest = (offer: Parameters<typeof hero>[1] = {}, other = "Thanks") =>
  desk.declare(
    sited(
      [hero("offer", { title: "One", more: ", name: Offer", ...offer }), hero("thanks", { title: other })],
      `releases: { launch: { pages: [offer, thanks] } }
projects:
${["first", "second", "third"].map((name) => `  ${name}: { description: "${BRIEF}", context: "${BRIEF}" }\n`).join("")}`,
    ),
  );

const id = (): unknown => desk.rows("pages").find(({ siteId, slug }) => siteId !== null && slug !== "thanks")?.id;
const offer = () => desk.rows("pages").find((row) => row.id === id());

onBothEngines((...on) => {
  test("a run that releases another page learns nothing that people did", async () => {
    desk.on(...on);
    await manifest().applies();
    await desk.publishes("Offer", "people");
    await desk.edits("Offer", { "hero.title": "Half a thought" });
    await manifest({}, "Many thanks").applies();
    expect(offer()).toMatchObject({ slug: "people" });
    await desk.applies();
    expect(offer()).toMatchObject({ slug: "people" });
    expect(await desk.drafts("Offer", "hero.title")).toBe("Half a thought");
    // A refresh finds both, as drift.
    expect(await desk.plan("--refresh")).toMatch(/"people" → "offer"/);
    expect(await desk.plan("--refresh")).toMatch(/"Half a thought" → "One"/);
  });

  test("a name, a project and a path that the code changes, too, hold the release back until a word", async () => {
    desk.on(...on);
    await manifest({ more: ", name: Offer, project: first" }).applies();
    const project = desk.rows("projects").find(({ name }) => name === "third")?.id;
    await desk.app("PATCH", "/pages/metadata", { page_id: id(), name: "Theirs", project_id: project });
    await desk.publishes("Theirs", "people");
    manifest({ title: "Two", slug: "two", more: ", name: Two, project: second" });
    const theirs = { pageName: "Theirs", projectId: project, slug: "people" };
    const told = [
      'name "Theirs" in the app ("Offer" at the last run, "Two" in the code)',
      'slug "people" in the app ("offer" at the last run, "two" in the code)',
    ];
    for (const args of [[], [], ["--refresh"]]) {
      const plan = await desk.plan(...args);
      const held = await desk.says(1, "up", "--yes", ...args);
      expect(plan).toMatch(/publish\.slug +"(offer|people)" → "two" {2}\(held back\)/);
      for (const text of told) for (const said of [plan, held]) expect(said).toContain(text);
      expect(offer()).toMatchObject(theirs);
      expect(await desk.visited("sited-example/people")).toContain("One");
    }
    expect(await desk.applies("--foreign-edits", "include")).toContain("the run writes over these values of page");
    expect(offer()).toMatchObject({ pageName: "Two", slug: "two" });
    expect(await desk.visited("sited-example/two")).toContain("Two");
    expect(await desk.undo()).toMatch(/- http\S+\/two \(offer\)\n +\+ http\S+\/people \(offer\)/);
    expect(offer()).toMatchObject(theirs);
  });

  test("an undo takes a page back from a path that an earlier run had held, unless somebody has moved it since", async () => {
    desk.on(...on);
    await manifest().applies();
    await desk.edits("Offer", { "hero.title": "Half a thought" });
    await manifest({ slug: "two" }).says(1, "up", "--yes");
    await manifest({ slug: "two", title: "Two" }).applies("--foreign-edits", "include");
    expect(await desk.visited("sited-example/two")).toContain("Two");
    await desk.publishes("Offer", "people");
    expect(await desk.sendsNothing(3, "undo", "--yes")).toMatch(/Page offer: publish was changed by hand .*"people"/);
    await desk.publishes("Offer", "two");
    const undone = await desk.undo();
    expect(undone).toMatch(/publish\.slug +"two" → "offer"/);
    expect(undone).toMatch(/content\["hero\.title"\] +"Two" → "One"/);
    expect(await desk.visited("sited-example/offer")).toContain("One");
    expect(await desk.plan()).toMatch(/publish\.slug +"offer" → "two"/);
  });

  test("a path that the code leaves alone stays, and the run says so", async () => {
    desk.on(...on);
    await manifest().applies();
    await desk.publishes("Offer", "people");
    manifest({ title: "Two" });
    const moved = /somebody moved it in the app, and stays there/;
    expect(await desk.plan()).toMatch(moved);
    expect(await desk.applies()).toMatch(moved);
    expect(await desk.visited("sited-example/people")).toContain("Two");
    await desk.applies("--refresh");
    expect(await desk.visited("sited-example/offer")).toContain("Two");
  });
});

test("an address that the service gives otherwise than foretold plans nothing", async () => {
  await desk.declare(sited(["  none: {}\n"])).applies();
  const linking = hero("offer", { title: "One" }).replace("content: {", "$& hero.cta.url: { ref: pages.thanks.url },");
  desk.declare(sited([linking, hero("thanks")], "releases: { launch: { pages: [offer, thanks] } }\n"));
  expect(await desk.plan()).toContain("https://sited-example.localhost/thanks");
  await desk.applies();
  expect(await desk.drafts("offer", "hero.cta.url")).toMatch(/^http:.*:\d+\/thanks$/);
  await desk.applies("--refresh");
});

/** Any service that fits the specification: after an up and a refresh, the next up plans nothing. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NotShown } from "../../emulator/index.ts";
import type { PropertyMap } from "../../engine/index.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { applied, calls, HERO, openHost, type ProviderClient, ResourceTest, worldOfAll } from "./harness.ts";
import { countOf, examplesOfAll, inputsFor, type Example, type ExampleName } from "./kinds.ts";
import { refreshPlansNothing, unique, writes } from "./table.ts";
import { thorough } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";

/** A run that takes a retired funnel waits so long for others. */
const ENV = { LANDFORM_FULL_REFRESH: "1", LANDFORM_PATIENCE_MS: "200" };
const world = worldOfAll({}, ENV);
const examples = examplesOfAll(world);

const hero = (content: PropertyMap): PropertyMap => ({ ...HERO, content });

const shapes = [
  ...(["array-key-value", "array-id-text", "array-name-content-default", "nested-groups"] as const),
  ...(["map-scalars", "map-objects", "array-raw-html"] as const),
];

describe.each(shapes)("a content map as %s", (contentShape) => {
  beforeEach(() => {
    world.emulator.notShown.contentShape = contentShape;
  });

  test("create, refresh, change by key, drift by key, repair", async () => {
    const declared = hero({ "hero.title": "Hello {{brand}}", "hero.text": "Line\n{{brand}} 🚀" });
    const page = await applied(world, "page", unique("shape"), declared);
    expect(page.outputs["content"]).toEqual({ "hero.title": "Hello Acme", "hero.text": "Line\nAcme 🚀" });
    await refreshPlansNothing(page, declared);
    await editInApp(world, page.id, { "hero.text": "By hand" });
    await page.refresh();
    expect(page.state?.inputs?.["content"]).toEqual({ "hero.title": "Hello {{brand}}", "hero.text": "By hand" });
    calls(world);
    expect(await page.apply(declared)).toBe("updated");
    expect(writes(world, page.id)).toEqual([
      ["PATCH /pages/content", { page_id: "ID", updates: { "hero.text": "Line\nAcme 🚀" } }],
    ]);
    await refreshPlansNothing(page, declared);
  });

  thorough("a changed variable renders the texts of the template again", async () => {
    const page = await applied(world, "page", unique("variables"), hero({}));
    expect(await page.apply({ ...hero({}), variables: { brand: "Beta" } })).toBe("updated");
    const updates = { "hero.eyebrow": "New from Beta", "top.brand": "Beta" };
    const [, body] = writes(world, page.id).findLast(([call]) => call === "PATCH /pages/content") ?? [];
    expect(body).toMatchObject({ updates });
  });
});

describe.each(["no-values", "array-rich-text"] as const)("a content map without values (%s)", (contentShape) => {
  beforeEach(() => {
    world.emulator.notShown.contentShape = contentShape;
  });

  test("what was applied stands in for the live value, and it is said once", async () => {
    const declared = hero({ "hero.title": "Hello {{brand}}", "hero.text": "Text" });
    const page = await applied(world, "page", unique("blind"), declared);
    expect(page.outputs["content"]).toEqual({ "hero.title": "Hello Acme", "hero.text": "Text" });
    await refreshPlansNothing(page, declared);
    await refreshPlansNothing(page, declared);
    const said = (): string[] => world.printed.filter((line) => line.includes(page.id));
    await expect
      .poll(said)
      .toEqual([
        `warning: The content map of page ${page.id} shows no value for hero.text, hero.title. Landform compares with the value that it last wrote, so it does not see an edit in the app.`,
      ]);
  });

  thorough("declared texts render again; another variable of the template's own texts is refused", async () => {
    const declared = hero({ "hero.title": "Hello {{brand}}" });
    const page = await applied(world, "page", unique("blind"), declared);
    expect(await page.apply({ ...declared, variables: { brand: "Beta" } })).toBe("updated");
    expect(page.outputs["content"]).toEqual({ "hero.title": "Hello Beta" });
    const blind = await applied(world, "page", unique("blind"), hero({}));
    await expect(blind.up({ ...hero({}), variables: { brand: "Beta" } })).rejects.toThrow(
      /variables: no text of page \S+ is known to hold \{\{brand\}\}, because this service doesn't show the values of content fields\. Declare these texts under content, so that they can be rendered again/,
    );
  });
});

const services: [string, Partial<NotShown>][] = [
  ["numbers come back as text", { numbersAsStrings: true }],
  ["records carry further fields", { extraFields: true }],
  ["names are not trimmed and slugs not folded", { normaliseNames: false, lowercaseSlugs: false }],
  ["a quiz has its page's id", { quizIdDiffers: false }],
  ["updated_at does not move with content", { updatedAtMovesOnContent: false }],
  [
    "200 for creations, 422, 410 and generic codes",
    { createdStatus: 200, invalidRequestStatus: 422, notFoundStatus: 410, notFoundCodes: "generic" },
  ],
  ["202 for creations, 400 for what is not found", { createdStatus: 202, notFoundStatus: 400 }],
  ["newest first", { listOrder: "newest-first" }],
  ["funnels store page ids", { funnelPages: "ids" }],
  ["project reads show the context", { projectContextOnRead: true }],
  ["unknown fields of a body are refused", { unknownFields: "refuse" }],
  ["lists show nothing of this run", { listLagMs: 60_000 }],
  [
    "other paths",
    {
      productPath: "/catalog/products/{id}",
      searchPagesPath: "/pages/search",
      searchTemplatesPath: "/templates/find",
      countsPath: "/stats/counts",
    },
  ],
];

describe.each(services)("%s", (title, switches) => {
  /** Each process asks once for the paths of unlisted operations. */
  let client: ProviderClient;
  beforeAll(() => {
    if (title !== "other paths") {
      ({ client } = world.host);
      return;
    }
    Object.assign(world.emulator.notShown, switches);
    const { host } = openHost(world.emulator, ENV);
    ({ client } = host);
    return () => host.close();
  });

  test.each<ExampleName>(["project", "page", "quiz", "funnel", "product", "videoPlayer"])("%s", async (name) => {
    Object.assign(world.emulator.notShown, switches);
    const logical = unique(`life-${name}`);
    const inputs = unusual(examples[name], logical);
    const resource = new ResourceTest(world, examples[name].kind, logical).handTo(client);
    expect(await resource.apply(inputs)).toBe("created");
    await refreshPlansNothing(resource, inputs);
    const changed = { ...inputs, ...examples[name].other };
    expect(await resource.apply(changed)).toBe("updated");
    await refreshPlansNothing(resource, changed);
    const { state } = resource;
    const count = async (): Promise<number> => {
      world.emulator.notShown.listLagMs = 0;
      return countOf(world, examples[name], `${logical} Mixed`);
    };
    if (name !== "videoPlayer") expect(await count()).toBe(1);
    await resource.delete();
    if (name === "videoPlayer") return;
    resource.state = state;
    expect(await resource.refresh()).toBe(false);
    resource.state = state;
    await resource.delete();
    expect(await count()).toBe(0);
  });
});

/** Adds white space around the name and mixed case to the slug, which a service may normalise. */
function unusual(example: Example, logical: string): PropertyMap {
  const inputs = {
    ...inputsFor(example, logical),
    ...(registry[example.kind].named && { name: ` ${logical} Mixed ` }),
  };
  const { publish } = inputs as { publish?: PropertyMap };
  return publish === undefined ? inputs : { ...inputs, publish: { ...publish, slug: `${logical}-MiXed` } };
}

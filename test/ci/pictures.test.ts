/** The pictures that a code host keeps for the note of a preview. */
import { PNG } from "pngjs";
import { describe, expect, test, vi } from "vitest";
import type { Forge, PictureFile } from "../../ci/forge/forge.ts";
import { openForge } from "../../ci/forge/open.ts";
import { dropPictures, keepPictures } from "../../ci/pictures.ts";
import type { PagePicture } from "../../stack/report/shown.ts";
import { CodeHost } from "./code-host.ts";
import { forEachTest } from "../suite/opened.ts";

const host = forEachTest(() => CodeHost.open());
const NOW = new Date("2026-11-28T10:00:00Z");
const later = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);
const file = (name: string): PictureFile => ({ name, png: Buffer.from(`a picture called ${name}`) });

function forgeOn(kind: Forge["kind"], path = ""): Forge {
  const apiUrl = kind === "github" ? `${host.url}${path}` : `${host.url}/api/v4`;
  return openForge({ kind, apiUrl, repository: "acme/funnels", token: "job-token" });
}

/** Opens an address as a browser of a person who may read the repository. */
async function seen(url: string, cookie = "session=reader"): Promise<string> {
  const answer = await fetch(new URL(url, host.url), { headers: { cookie } });
  return answer.ok ? answer.text() : String(answer.status);
}

describe("on a branch of GitHub", () => {
  test("readers of the repository see them, and nobody else", async () => {
    const { urls } = await forgeOn("github").keepPictures("pr-12.funnels", [file("a.png"), file("b.png")], NOW);
    expect(urls[0]).toBe(`${host.url}/acme/funnels/blob/landform/pictures/2026-11-28.pr-12.funnels/a.png?raw=true`);
    expect(await Promise.all(urls.map((url) => seen(url)))).toEqual([
      "a picture called a.png",
      "a picture called b.png",
    ]);
    expect(await seen(urls[0] ?? "", "")).toBe("401");
  });

  test("a push takes the earlier ones away, and the branch has one commit without a parent", async () => {
    const forge = forgeOn("github", "/api/v3");
    await forge.keepPictures("pr-12.funnels", [file("a.png")], NOW);
    await forge.keepPictures("pr-13.funnels", [file("c.png")], NOW);
    await forge.keepPictures("pr-12.funnels", [file("b.png")], later(1));
    expect([...host.pictures.files().keys()].sort()).toEqual([
      "2026-11-28.pr-13.funnels/c.png",
      "2026-11-29.pr-12.funnels/b.png",
    ]);
    expect(host.pictures.commits.get(host.pictures.head ?? "")).toMatchObject({ parents: [] });
  });

  test("two jobs at once: neither takes the other's pictures away", async () => {
    host.pictures.meanwhile = () => host.pictures.adds("2026-11-28.pr-13.funnels");
    await forgeOn("github").keepPictures("pr-12.funnels", [file("a.png")], NOW);
    expect(host.pictures.folders()).toEqual(["2026-11-28.pr-12.funnels", "2026-11-28.pr-13.funnels"]);
  });

  test("the end of a preview, and 30 days without one, take them away; then there is no branch", async () => {
    const forge = forgeOn("github");
    for (const days of [0, 10]) await forge.keepPictures(`pr-${days}.funnels`, [file("a.png")], later(days));
    await forge.keepPictures("pr-13.funnels", [], later(30));
    expect(host.pictures.folders()).toEqual(["2026-11-28.pr-0.funnels", "2026-12-08.pr-10.funnels"]);
    await forge.keepPictures("pr-13.funnels", [], later(31));
    expect(host.pictures.folders()).toEqual(["2026-12-08.pr-10.funnels"]);
    await forge.keepPictures("pr-10.funnels", [], later(31));
    expect(host.pictures.head).toBeUndefined();
    host.calls.length = 0;
    await forge.keepPictures("pr-10.funnels", [], later(31));
    expect(host.calls.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("a branch that can't be moved is an error with the code host's reason, and no endless try", async () => {
    const refusal = { data: { updateRefs: null }, errors: [{ message: "Repository rule violations found" }] };
    host.faults.push({ path: "/graphql", times: 99, reply: { body: refusal } });
    await expect(forgeOn("github").keepPictures("pr-12.funnels", [file("a.png")], NOW)).rejects.toThrow(
      "/graphql: Repository rule violations found",
    );
    expect(host.calls.filter(({ path }) => path === "/graphql")).toHaveLength(1);
  });
});

describe("among the uploads of GitLab", () => {
  const names = (): string[] => host.pictures.uploads.map(({ filename }) => filename);

  test("readers of the project see them; a push and the end of the preview take earlier ones away, and nobody else's", async () => {
    const forge = forgeOn("gitlab");
    host.pictures.uploads.push(
      { id: 1, secret: "0", filename: "a-person's.png", created_at: "2026-01-01T00:00:00Z", bytes: Buffer.from("") },
      {
        id: 2,
        secret: "0",
        filename: "landform.pr-9.funnels.old.png",
        created_at: "2026-01-01T00:00:00Z",
        bytes: Buffer.from(""),
      },
    );
    const { urls } = await forge.keepPictures("pr-12.funnels", [file("a.png"), file("b.png")], new Date());
    expect(await Promise.all(urls.map((url) => seen(url)))).toEqual([
      "a picture called a.png",
      "a picture called b.png",
    ]);
    await forge.keepPictures("pr-12.funnels", [file("c.png")], new Date());
    expect(names()).toEqual(["a-person's.png", "landform.pr-12.funnels.c.png"]);
    expect(await forge.keepPictures("pr-12.funnels", [], new Date())).toEqual({ urls: [] });
    expect(names()).toEqual(["a-person's.png"]);
  });

  test("a token that may not delete uploads: the pictures are kept all the same, and the reason is told", async () => {
    host.pictures.listsUploads = false;
    const kept = await forgeOn("gitlab").keepPictures("pr-12.funnels", [file("a.png")], new Date());
    expect(kept).toEqual({
      urls: [expect.stringMatching(/^\/uploads\//)],
      unswept: expect.stringContaining("403") as string,
    });
  });
});

describe("in a preview's note", () => {
  const PIXEL = (grey: number): string => {
    const png = new PNG({ width: 2, height: 3 });
    png.data.fill(grey);
    return PNG.sync.write(png).toString("base64");
  };
  const picture = (name: string, parts: Partial<PagePicture> = {}): PagePicture => ({
    ...{ urn: name, type: "Page", name, screen: "phone", kind: "changed", url: `https://x.example/${name}`, notes: [] },
    ...{ before: PIXEL(0), after: PIXEL(255), share: 0.1 },
    ...parts,
  });
  const preview = { name: "pr-12", project: "funnels" };

  test("each page has one picture: of the screen that changed more, before on the left", async () => {
    const taken = [
      picture("offer"),
      picture("offer", { screen: "desktop", share: 0.2 }),
      picture("a/b", { kind: "new", before: undefined }),
    ];
    const looks = { taken, alike: 0, unchanged: 0, fromCode: true } as const;
    const { shown, fromCode } = await keepPictures(forgeOn("github"), preview, looks);
    expect(fromCode).toBe(true);
    expect(shown.map(({ picture: { name, screen } }) => [name, screen])).toEqual([
      ["offer", "desktop"],
      ["a/b", "phone"],
    ]);
    const [both, alone] = [...host.pictures.files().values()].map((png) => PNG.sync.read(png));
    expect([both?.width, both?.height, alone?.width]).toEqual([2 + 24 + 2, 3, 2]);
    expect([both?.data[0], both?.data[(2 + 24) * 4]]).toEqual([0, 255]);
    expect([...host.pictures.files().keys()].map((path) => path.split("/").length)).toEqual([2, 2]);
  });

  test("twelve at most; the others are counted, and a page that can't be shown says why", async () => {
    const failed = picture("gone", {
      kind: "failed",
      notes: ["it answers with 404"],
      before: undefined,
      after: undefined,
    });
    const taken = [failed, ...Array.from({ length: 15 }, (_, at) => picture(`p${at}`))];
    const { shown, others } = await keepPictures(forgeOn("github"), preview, { taken, alike: 0, unchanged: 0 });
    expect([host.pictures.files().size, others, shown.length]).toEqual([12, 3, 16]);
    expect(shown.filter(({ url }) => url !== undefined)).toHaveLength(12);
    expect(shown[0]).toMatchObject({ picture: { notes: ["it answers with 404"] }, url: undefined });
  });

  test("a page that looks as before has no picture, and its note is told", async () => {
    const none = { before: undefined, after: undefined };
    const taken = [picture("same", { ...none, kind: "alike", notes: ["the image x.png does not load"] })];
    const kept = await keepPictures(forgeOn("github"), preview, { taken, alike: 1, unchanged: 0 });
    expect([host.pictures.files().size, kept.others]).toEqual([0, 0]);
    expect(kept.shown).toMatchObject([{ picture: { notes: ["the image x.png does not load"] } }]);
  });

  test("pictures that can't be deleted are told in the log, and nothing fails", async () => {
    host.fails("/git/ref/", 403);
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await dropPictures(forgeOn("github"), preview);
    expect(said.mock.calls.join("")).toContain("note: the pictures of pr-12 could not be deleted: GET");
    said.mockRestore();
  });

  test.each([
    ["github", "/git/blobs", "GITHUB_TOKEN may not do that: the job needs the permission contents: write"],
    [
      "gitlab",
      "POST /api/v4/projects/acme%2Ffunnels/uploads",
      "GITLAB_TOKEN may not do that: use a project access token",
    ],
  ] as const)("on %s, a token that may not keep them: the note says so", async (kind, path, reason) => {
    host.fails(path, 403);
    const kept = await keepPictures(forgeOn(kind), preview, { taken: [picture("offer")], alike: 0, unchanged: 0 });
    expect(kept.unkept).toContain(reason);
    expect(kept.shown).toHaveLength(1);
  });
});

import { describe, expect, test } from "vitest";
import { refused, text } from "./expectations.ts";
import { eventually, makeProject, missingId, unique } from "./fixtures.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();
const videos = await target.list("listVideos");
const [video] = videos;

// No operation uploads a video: a foreign account may have none.
test.runIf(ownServer)("the demo account has at least two videos", () => {
  expect(videos.length).toBeGreaterThanOrEqual(2);
});

describe.runIf(video !== undefined)("with a video", () => {
  const id = video?.id ?? "";
  const read = () => target.record("getVideo", { at: id });

  test("id and video_id are the same", () => {
    for (const one of videos) expect(one.video_id).toBe(one.id);
  });

  test("GET /videos/{videoId} reads it", async () => expect((await read()).id).toBe(id));

  test.each(["name", "title"])("PATCH /videos changes the %s and nothing else", async (field) => {
    const before = await read();
    const value = unique("Video");
    const answer = await target.record("updateVideo", { body: { video_id: id, [field]: value } });
    expect(answer).toMatchObject({ id, [field]: value });
    expect({ ...(await read()), updated_at: null }).toEqual({ ...before, [field]: value, updated_at: null });
  });

  test("PATCH /videos moves it to a project", async () => {
    const project = await makeProject(target);
    const { project_id } = await read();
    const body = { video_id: id, project_id: project.id };
    expect((await target.record("updateVideo", { body })).project_id).toBe(project.id);
    if (typeof project_id === "string") await target.call("updateVideo", { body: { video_id: id, project_id } });
  });

  test("PATCH /videos takes the player's settings", async () => {
    const switches = { controls: true, autoplay: false, muted: true, loop: false };
    const settings = { language: "en", primary_color: "#336699", ...switches };
    expect((await target.record("updateVideo", { body: { video_id: id, ...settings } })).id).toBe(id);
  });

  test("GET /search/videos finds it by text and by exact id", async () => {
    const query = text((await read()).name).toUpperCase();
    const found = await eventually(
      () => target.list("searchVideos", { query: { query } }),
      (matches) => matches.some((one) => one.id === id),
    );
    expect(found.map((one) => one.id)).toContain(id);
    const exact = await target.list("searchVideos", { query: { video_id: id } });
    expect(exact.map((one) => one.id)).toEqual([id]);
  });

  test.each(["listVideos", "searchVideos"])("%s: skip leaves the first ones out", async (operation) => {
    const all = await target.list(operation);
    const rest = await target.list(operation, { query: { skip: 1 } });
    expect(rest.map((one) => one.id)).toEqual(all.slice(1).map((one) => one.id));
    expect(await target.list(operation, { query: { skip: 100_000 } })).toEqual([]);
  });
});

test("a video that does not exist", async () => {
  refused(await target.call("getVideo", { at: missingId }));
  refused(await target.call("updateVideo", { body: { video_id: missingId, name: "x" } }));
  expect(await target.list("searchVideos", { query: { video_id: missingId } })).toEqual([]);
});

test("there is no way to create or delete a video", async () => {
  refused(await target.send("POST", "/videos", { body: { name: "x" } }));
  refused(await target.send("DELETE", `/videos/${video?.id ?? missingId}`));
});

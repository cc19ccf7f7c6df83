import { beforeAll, expect, test } from "vitest";
import { byHand, madeForAll, ResourceTest, applied, worldOfAll } from "./harness.ts";
import { changeTable, unique, writes, type Change, type Setting } from "./table.ts";

const world = worldOfAll();
const project = madeForAll(world, "project", "videos");
let videoId: string;
let otherVideoId: string;
beforeAll(async () => {
  const rows = await byHand<{ id: string }[]>(world, "GET", "/videos");
  [videoId = "", otherVideoId = ""] = rows.map(({ id }) => id);
});

const setting: Setting = { kind: "videoPlayer", world: () => world, base: () => ({ videoId }) };

const change = (input: string, wire: string, value: string | boolean): Change => ({
  ...{ input, to: { [input]: value }, sends: [["PATCH /videos", { video_id: "ID", [wire]: value }]] },
});

changeTable(setting, [
  { input: "videoId", to: () => ({ videoId: otherVideoId }), outcome: "replaced", removal: "required" },
  {
    ...{ input: "projectId", to: () => ({ projectId: project.id }) },
    sends: () => [["PATCH /videos", { video_id: "ID", project_id: project.id }]],
  },
  change("name", "name", "A name"),
  change("title", "title", "A title"),
  change("language", "language", "de"),
  change("primaryColor", "primary_color", "#ff0000"),
  change("controls", "controls", false),
  change("autoplay", "autoplay", true),
  change("muted", "muted", true),
  change("loop", "loop", true),
]);

test("a video that does not exist is an error with the remedy", async () => {
  const video = new ResourceTest(world, "videoPlayer", unique("none"));
  await expect(video.up({ videoId: "nope" })).rejects.toThrow(
    'videoId: there is no video "nope" in this account. Upload it in the app first (the API can\'t), or correct the id.',
  );
});

test("deletion leaves the video and its settings", async () => {
  const video = await applied(world, "videoPlayer", unique("kept"), { videoId, title: "Kept" });
  writes(world);
  await video.delete();
  expect(writes(world)).toEqual([]);
  expect(await byHand(world, "GET", `/videos/${videoId}`)).toMatchObject({ title: "Kept" });
});

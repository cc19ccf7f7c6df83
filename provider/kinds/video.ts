/** Player settings of a video that exists already: the API neither uploads nor deletes videos. */
import { z } from "zod";
import type { LandformApi, Video, VideoUpdate } from "../api/index.ts";
import { defineCollection, MOST, ofId } from "../definition/collection.ts";
import { defineResource } from "../definition/define.ts";
import { camelKeys } from "../values/json.ts";
import { idOf } from "../definition/schema-walk.ts";
import { AdoptionError } from "../messages/errors.ts";
import { orGone } from "../account/presence.ts";
import { displayName, out, staying, timestamps, wireInputs, type FieldOf } from "./fields.ts";

const SETTINGS = [
  "name",
  "title",
  "language",
  "projectId",
  "primaryColor",
  "controls",
  "autoplay",
  "muted",
  "loop",
] as const satisfies readonly FieldOf<VideoUpdate>[];

const videos = defineCollection({
  what: "video",
  plural: "videos",
  calls: { list: "listVideos", search: "searchVideos", read: "getVideo" },
  filters: z.object({}),
  nameOf: ({ name }: Video) => name,
  read: (api, id) => api.videos.read(id),
  find: (api, id) => ofId(api.videos.search({ video_id: id }), id),
  search: (api, query) => api.videos.search({ query, limit: MOST }),
  all: (api, _filter, options) => api.videos.iterate(options),
  ofProject: videosOf,
});

export const videoPlayer = defineResource({
  kind: "videoPlayer",
  section: "videoPlayers",
  doc: "The player settings of an existing video. Deleting the resource leaves the video and its settings as they are.",
  named: false,
  inputs: z.strictObject({
    videoId: idOf("video").describe("Id of the video."),
    name: displayName.describe("Name in the library."),
    title: z.string().optional().describe("Title shown in the player."),
    language: z.string().optional().describe("Language of the player."),
    projectId: idOf("project").optional().describe("Project of the video."),
    primaryColor: z.string().optional().describe("Accent colour of the player."),
    controls: z.boolean().optional().describe("Show controls."),
    autoplay: z.boolean().optional().describe("Start by itself."),
    muted: z.boolean().optional().describe("Start muted."),
    loop: z.boolean().optional().describe("Start again at the end."),
  }),
  outputs: z.object({
    videoId: out.text("Id of the video."),
    name: out.nullable("Name in the library."),
    title: out.nullable("Title shown in the player."),
    status: out.nullable("Encoding or playback status."),
    duration: z.union([z.number(), z.string()]).nullable().describe("Length in seconds, when the player returns it."),
    thumbnailUrl: out.nullable("URL of the thumbnail."),
    projectId: out.nullable("Project of the video."),
    ...timestamps,
  }),
  shown: { steady: { videoId: [], createdAt: [] } },
  rules: { videoId: { onChange: "replace" }, ...staying(SETTINGS) },
  collection: videos,
  calls: {
    create: ["getVideo", "updateVideo"],
    adopt: ["getVideo", "updateVideo"],
    update: ["getVideo", "updateVideo"],
    delete: [],
  },
  leaves: "in place",
  inPreview: { becomes: "left out", about: "videoId" },
  limits: [
    {
      api: "The API can't upload or delete videos.",
      landform:
        "Landform manages the player's settings of an existing video. If you remove the resource, the settings stay as they are.",
    },
  ],
  // Most settings of a video can't be read, so an export has videos only on request.
  exporting: {
    byDefault: false,
    hidden: { text: "Not shown by the API, and so not here: language, colour, controls, autoplay, muted, loop." },
    // Videos are uploaded in the app, so a copy refers to those that the other account has.
    of: ({ id }, { asNew, setting }, shown) => ({
      inputs: { ...shown, videoId: asNew ? setting("video") : id },
      notes: [],
    }),
  },
  create: async ({ api }, { videoId }) => {
    const record = await orGone(api.videos.read(videoId));
    if (record) return { id: videoId, answer: camelKeys(record), sent: ["videoId"] };
    throw new AdoptionError(
      `videoId: there is no video "${videoId}" in this account. Upload it in the app first (the API can't), or correct the id.`,
    );
  },
  apply: async ({ run, id, now, changed, object }) => {
    const due = SETTINGS.filter((field) => changed.has(field));
    const settings = wireInputs(now, due);
    if (Object.keys(settings).length === 0) return;
    object.learn(camelKeys(await run.api.videos.update({ ...settings, video_id: id })));
  },
  delete: () => Promise.resolve(),
});

async function* videosOf(api: LandformApi, projectId: string): AsyncGenerator<Video, void, undefined> {
  for await (const row of api.videos.iterate()) if (row.project_id === projectId) yield row;
}

import type { LandformApi, Video } from "../api/index.ts";
import { collect, findOne, shown, type Limit, type One, type Shown } from "./find.ts";

/** One video, by its id or its name in the library. */
export async function getVideo(api: LandformApi, wanted: One): Promise<Shown<Video>> {
  const record = await findOne(
    {
      what: "video",
      nameOf: ({ name }) => name,
      read: api.videos.read,
      search: (query) => api.videos.search({ query, limit: 100 }),
      all: () => api.videos.iterate(),
    },
    wanted,
  );
  return shown(record);
}

export async function listVideos(api: LandformApi, { limit }: Limit = {}): Promise<Shown<Video>[]> {
  return (await collect(api.videos.iterate({ limit }))).map(shown);
}

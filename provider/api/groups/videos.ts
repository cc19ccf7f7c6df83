import { z } from "zod";
import type { Call } from "../caller.ts";
import type { VideoList, VideoSearch, VideoUpdate } from "../inputs.ts";
import type { IterateOptions, Pager } from "../paging.ts";
import { video } from "../records.ts";

const videos = z.array(video);

export function videosGroup(call: Call, pager: Pager) {
  const list = (query?: VideoList) => call("listVideos", videos, { query: { ...query } });
  return {
    list,
    iterate: (options?: IterateOptions) => pager.skips("listVideos", list, options),
    update: (body: VideoUpdate) => call("updateVideo", video, { body }),
    search: (query: VideoSearch) => call("searchVideos", videos, { query: { ...query } }),
    read: (videoId: string) => call("getVideo", video, { ids: { videoId } }),
  };
}

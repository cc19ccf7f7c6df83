import { z } from "zod";
import type { Call } from "../caller.ts";
import type { VideoList, VideoSearch, VideoUpdate } from "../inputs.ts";
import { iterateSkips, type IterateOptions } from "../paging.ts";
import { video } from "../records.ts";

const videos = z.array(video);

export function videosGroup(call: Call) {
  const list = (query?: VideoList) => call("listVideos", videos, { query: { ...query } });
  return {
    list,
    iterate: (options?: IterateOptions) => iterateSkips(list, options),
    update: (body: VideoUpdate) => call("updateVideo", video, { body }),
    search: (query: VideoSearch) => call("searchVideos", videos, { query: { ...query } }),
    read: (videoId: string) => call("getVideo", video, { ids: { videoId } }),
  };
}

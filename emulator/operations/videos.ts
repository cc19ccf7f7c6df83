import { notFound } from "../http/errors.ts";
import { equals, matches, type Window, windowOf } from "../http/paging.ts";
import type { VideoRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import type { Call, Operations } from "./operation.ts";
import { projectIdOf } from "./projects.ts";

interface Filters extends Window {
  query?: string;
  video_id?: string;
}

interface VideoUpdate extends Partial<VideoRecord["player"]> {
  video_id: string;
  name?: string;
  title?: string;
  project_id?: string;
}

export const videos: Operations = {
  listVideos: search,
  searchVideos: search,

  updateVideo: (service, { body }: Call<unknown, VideoUpdate>) => {
    const { video_id, name, title, project_id, ...sent } = body;
    const before = videoById(service, video_id);
    const video = service.videos.put({
      ...before,
      name: name === undefined ? before.name : service.nameOf(name),
      title: title ?? before.title,
      projectId: projectIdOf(service, project_id) ?? before.projectId,
      player: playerOf({ ...before.player, ...sent }),
      updatedAt: service.now(),
    });
    return videoOnWire(video);
  },

  getVideo: (service, { params }: Call) => videoOnWire(videoById(service, params["videoId"])),
};

function videoById(service: Service, id: string | undefined): VideoRecord {
  const video = service.videos.get(id ?? "");
  if (video === undefined) throw notFound("video", id ?? "");
  return video;
}

function search(service: Service, { query }: Call<Filters>) {
  const found = service
    .list(service.videos)
    .filter(({ id }) => equals(query.video_id, id))
    .filter(({ name, title }) => matches(query.query, name, title));
  return windowOf(found, query).map(videoOnWire);
}

function playerOf({ language, primary_color, controls, autoplay, muted, loop }: VideoRecord["player"]) {
  return { language, primary_color, controls, autoplay, muted, loop };
}

function videoOnWire(video: VideoRecord) {
  return {
    id: video.id,
    video_id: video.id,
    name: video.name,
    title: video.title,
    status: video.status,
    duration: video.duration,
    thumbnail_url: video.thumbnailUrl,
    project_id: video.projectId,
    created_at: video.createdAt,
    updated_at: video.updatedAt,
  };
}

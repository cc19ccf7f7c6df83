/** Two webinars from one component: the program holds only the differences. */
import * as landform from "landform";
import { Webinar } from "./campaign.ts";

const project = new landform.Project("live", {
  name: "Brief Live",
  description: "Live sessions about briefs, one a month, with a registration page for each.",
  context:
    "Brief Live is a series of free sessions for people who write or receive creative briefs. Each is an hour long, half " +
    "of it questions. The pages promise one thing that listeners take home. The tone is direct, friendly and without jargon.",
});

const site = new landform.Site("live", { name: "brief-live.example", projectId: project.id });

const shared = {
  brand: "Brief",
  projectId: project.id,
  siteId: site.id,
  registrations: "https://crm.example.com/registrations",
};

const january = new Webinar("january", { ...shared, host: "Our strategy team", date: "14 January", time: "16:00" });
const february = new Webinar("february", { ...shared, host: "Our design team", date: "11 February", time: "16:00" });

export const urls = [january.url, february.url];

/** The parts of a webinar: a registration page, a thank-you page, the funnel over both, and a hook. */
import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";

export interface WebinarArgs {
  brand: string;
  host: string;
  /** The start of the webinar, as people read it. */
  date: string;
  time: string;
  projectId: pulumi.Input<string>;
  siteId: pulumi.Input<string>;
  /** Receives a POST for every registration. */
  registrations: string;
}

export class Webinar extends pulumi.ComponentResource {
  readonly url: pulumi.Output<string | null>;

  constructor(name: string, args: WebinarArgs, options?: pulumi.ComponentResourceOptions) {
    super("example:index:Webinar", name, {}, options);
    const { brand, host, date, time, projectId, siteId } = args;
    const funnel = new landform.LandingFunnel(
      name,
      {
        projectId,
        siteId,
        steps: [
          {
            key: `${name}-register`,
            slug: name,
            pageType: "optin",
            templateId: "tpl-webinar",
            variables: { brand, date, time, host_name: host },
            tags: ["webinar", name],
          },
          {
            key: `${name}-thanks`,
            slug: `${name}/thanks`,
            pageType: "thankyou",
            templateId: "tpl-thankyou",
            variables: { brand, support_email: "live@brief.example" },
            content: { "hero.title": `See you on ${date}!` },
          },
        ],
      },
      { parent: this },
    );
    new landform.Hook(
      name,
      { eventType: "form_lead.created", targetUrl: args.registrations, token: true },
      { parent: this },
    );
    this.url = funnel.url;
    this.registerOutputs({ url: this.url });
  }
}

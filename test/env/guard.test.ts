/** The guards that tell a preview from other stacks before anything is sent, and the owner of an environment. */
import { describe, expect, test } from "vitest";
import type { EnvironmentRecord } from "../../stack/env/record.ts";
import { elsewhere, refuseOtherRepository } from "../../stack/env/types.ts";
import { environmentIn, identityFor, nameIn, resourceKeyIn, stackIn } from "../../provider/ledger/identity.ts";
import { repositoryIn } from "../../provider/preview/checkout.ts";
import handlers from "../../provider/pulumi/dynamic.ts";

const URN = "urn:pulumi:pr-3::shop::pulumi-nodejs:dynamic/landform:Page::an offer ~ of spring";

describe("an identity", () => {
  test("tells the environment, and the rest as without one", () => {
    const [plain, preview] = [identityFor(URN), identityFor(URN, "pr-3")];
    expect([environmentIn(plain), environmentIn(preview)]).toEqual([undefined, "pr-3"]);
    expect(resourceKeyIn(preview)).toBe(resourceKeyIn(plain));
    expect(stackIn(resourceKeyIn(preview))).toBe(stackIn(resourceKeyIn(plain)));
    expect([nameIn(plain), nameIn(preview)]).toEqual(["an offer ~ of spring", "an offer ~ of spring"]);
  });
});

describe("a resource's check", () => {
  const check = (then: string | undefined, now: string | undefined): Promise<unknown> => {
    const inputs = (environment: string | undefined) => ({ name: "Offer", __identity: identityFor(URN, environment) });
    return handlers.page.check(inputs(then), inputs(now));
  };

  test("goes on if both belong to one environment, or to none", async () => {
    await expect(check("pr-3", "pr-3")).resolves.toMatchObject({ failures: [] });
    await expect(check(undefined, undefined)).resolves.toMatchObject({ failures: [] });
  });

  test.each([
    ["pr-3", undefined, /is part of the preview environment pr-3, and this run is no preview.*pulumi destroy/],
    ["pr-3", "pr-4", /is part of the preview environment pr-3, and this run is a preview called pr-4/],
    [undefined, "pr-4", /is no part of a preview environment, and this run is a preview called pr-4.*of its own/],
  ])("refuses what was made for %s to a run for %s", async (then, now, message) => {
    await expect(check(then, now)).rejects.toThrow(message);
    await expect(check(then, now)).rejects.toThrow(/Nothing was sent.*#preview-stack$/);
  });
});

describe("a repository", () => {
  test.each([
    ["https://github.com/Acme/Funnels.git", "github.com/acme/funnels"],
    ["https://x-access-token:secret@github.com/acme/funnels", "github.com/acme/funnels"],
    ["git@github.com:acme/funnels.git", "github.com/acme/funnels"],
    ["ssh://git@git.example:2222/group/sub/funnels.git/", "git.example/group/sub/funnels"],
    ["/srv/git/funnels.git", undefined],
    ["file:///srv/git/funnels.git", undefined],
    ["../hub", undefined],
    ["C:\\hub", undefined],
    ["", undefined],
  ])("by its remote %j is %s", (remote, repository) => expect(repositoryIn(remote)).toBe(repository));

  test("is another one only where both are known", () => {
    const record = { name: "pr-3", repository: "github.com/acme/shop" } as EnvironmentRecord;
    expect(elsewhere(record, "github.com/acme/funnels")).toBe("github.com/acme/shop");
    expect(elsewhere(record, "github.com/acme/shop")).toBeUndefined();
    expect(elsewhere(record, undefined)).toBeUndefined();
    expect(elsewhere({ name: "pr-3" } as EnvironmentRecord, "github.com/acme/shop")).toBeUndefined();
    expect(() => refuseOtherRepository(record, "github.com/acme/funnels")).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(
          "pr-3 is a preview of github.com/acme/shop, and this is github.com/acme/funnels",
        ) as string,
        advice: [expect.objectContaining({ command: "env down", arguments: ["pr-3"] })],
      }),
    );
  });
});

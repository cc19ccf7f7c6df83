/** Addresses of a replayed resource, inside of the inputs that others took from it. */
import { expect, test } from "vitest";
import { addressIn, addressOutputs } from "../../provider/pulumi/replayed.ts";

const page = {
  inputs: { name: "Offer", logo: "https://x.example/logo" },
  answered: {
    url: "https://x.example/offer",
    editUrl: "https://app.example/pages/p1",
    logo: "https://x.example/logo",
    status: "published",
    home: "https://x.example",
    shared: "https://x.example/offer/shared",
  },
};

test("what is declared, what is no address and what is a whole host are none", () => {
  expect(addressOutputs(page)).toEqual(["url", "editUrl", "shared"]);
});

test.each([
  ["https://x.example/offer", { output: "url", rest: "" }],
  ["https://x.example/offer?utm=1", { output: "url", rest: "?utm=1" }],
  ["https://x.example/offer#buy", { output: "url", rest: "#buy" }],
  ["https://x.example/offer/shared", { output: "shared", rest: "" }],
  ["https://x.example/offers", undefined],
  ["https://x.example/logo", undefined],
  ["published", undefined],
])("%s", (text, found) => {
  expect(addressIn(text, page)).toEqual(found);
});

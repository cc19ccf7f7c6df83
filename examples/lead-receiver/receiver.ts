/** Receives the events of this project: LANDFORM_TOKENS=... node receiver.ts */
import { createServer } from "node:http";
import { hookReceiver, nodeListener } from "landform/hooks";

const { LANDFORM_TOKENS = "", PORT = "8080" } = process.env;

const receive = hookReceiver({
  token: LANDFORM_TOKENS.split(","),
  on: {
    "form_lead.created": ({ email, page_url: page }) => {
      console.log(`${email ?? "somebody"} asks for the guide on ${page ?? "a page"}`);
    },
    "page.published": ({ name, url }) => {
      console.log(`${name ?? "a page"} is published at ${url ?? "?"}`);
    },
  },
});

const server = createServer(nodeListener(receive)).listen(Number(PORT), () => {
  const address = server.address();
  console.log(`listening on port ${typeof address === "object" ? (address?.port ?? PORT) : PORT}`);
});

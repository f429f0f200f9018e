import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { verifyWebhook } from "@portage/sdk";

const { PORTAGE_WEBHOOK_SECRET = "" } = process.env;

const receive = async (request: IncomingMessage, response: ServerResponse) => {
  try {
    // The raw bytes: a parsed body can't be verified.
    const body = Buffer.concat(await request.toArray());
    const { event } = await verifyWebhook({
      body,
      headers: request.headers,
      secrets: PORTAGE_WEBHOOK_SECRET,
    });
    console.log(`verified ${event.type}: ${event.id} stands at ${event.status}`);
    response.writeHead(204).end();
  } catch (error) {
    console.log(`refused: ${String(error)}`);
    response.writeHead(400).end();
  }
};

createServer((request, response) => void receive(request, response)).listen(4700, "127.0.0.1", () =>
  console.log("waiting for webhooks"),
);

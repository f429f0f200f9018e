import { createPortage } from "@portage/sdk";
import { z } from "zod";
import { createApp } from "./app.ts";
import { openStore } from "./store/store.ts";
import { sweepFiles } from "./store/store-files.ts";

const { FERRY_SECRET, FERRY_FOLDER, FERRY_PORT, FERRY_ACCOUNT, ...settings } = z
  .object({
    FERRY_SECRET: z.string().min(16),
    FERRY_FOLDER: z.string().min(1).default("./data"),
    FERRY_PORT: z.coerce.number().int().min(0).max(65_535).default(4600),
    FERRY_ACCOUNT: z.string().min(1).max(200).default("Acme Support"),
    PORTAGE_URL: z.url().optional(),
    PORTAGE_TOKEN: z.string().min(1).optional(),
    PORTAGE_WEBHOOK_SECRETS: z.string().min(16).optional(),
    PORTAGE_MODE: z.enum(["production", "sandbox", "simulator"]).default("production"),
    PORTAGE_EMBEDDED: z.enum(["yes", "no"]).default("no"),
  })
  .parse(process.env);

const { PORTAGE_URL, PORTAGE_TOKEN, PORTAGE_WEBHOOK_SECRETS } = settings;
const moving =
  PORTAGE_URL && PORTAGE_TOKEN && PORTAGE_WEBHOOK_SECRETS
    ? {
        portage: createPortage({ url: PORTAGE_URL, token: PORTAGE_TOKEN, mode: settings.PORTAGE_MODE }),
        webhookSecrets: PORTAGE_WEBHOOK_SECRETS.split(","),
        ...(settings.PORTAGE_EMBEDDED === "yes" && { framed: new URL(PORTAGE_URL).origin }),
      }
    : undefined;
const store = openStore(FERRY_FOLDER);
sweepFiles(store, Date.now());
const app = createApp({
  store,
  secret: FERRY_SECRET,
  publicUrl: `http://127.0.0.1:${FERRY_PORT}`,
  accountName: FERRY_ACCOUNT,
  ...(moving && { moving }),
  logs: true,
});
const address = await app.listen({ host: "127.0.0.1", port: FERRY_PORT });
process.stdout.write(`Ferry Desk is at ${address}, the destination protocol at ${address}/portage\n`);

const stop = async () => {
  await app.close();
  store.close();
};
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());

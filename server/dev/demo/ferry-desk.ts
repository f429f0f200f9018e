import { insertPartner, issueToken } from "../../src/features/partners/index.ts";
import { saveTarget } from "../../src/features/webhooks/index.ts";
import { readPart } from "../../src/main/config.ts";
import { newId } from "../../src/platform/ids.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { Secret } from "../../src/platform/secret.ts";
import { openMigratedDatabase } from "../migrated-database.ts";

interface Needs {
  readonly databaseUrl: string;
  readonly keys: string;
  readonly url: string;
  readonly webhookSecret: string;
}

/** A new database with one partner, Ferry Desk, which pays for its customers' moves and receives webhooks. */
export const createFerryDesk = async ({
  databaseUrl,
  keys,
  url,
  webhookSecret,
}: Needs): Promise<{ readonly token: string }> => {
  const { db } = await openMigratedDatabase(databaseUrl, "portage demo");
  try {
    const { id } = await insertPartner(db, newId("prt"), {
      name: "Ferry Desk",
      destinationTool: "destination-protocol",
      defaultFamily: "helpdesk",
      payer: "partner",
      fullRequestUrl: null,
      branding: { color: "#0b5f8a", returnUrl: url },
      allowedSourceTools: ["attic-desk"],
      archiveAfterDays: 90,
      includedDays: 30,
    });
    const { PORTAGE_KEYS: ring } = readPart(["PORTAGE_KEYS"], { PORTAGE_KEYS: keys });
    const target = { url: `${url}/webhooks/portage`, ordered: true, eventTypes: null };
    await saveTarget(db, createSealer(ring), id, target, new Secret(webhookSecret));
    const { token } = await issueToken(db, id, "npm run demo");
    return { token: token.reveal() };
  } finally {
    await db.close();
  }
};

import {
  createAuthenticator,
  findPartner,
  insertPartner,
  issueToken,
  listPartners,
  type Partner,
} from "../src/features/partners/index.ts";
import type { Database } from "../src/platform/db.ts";
import { newId } from "../src/platform/ids.ts";
import type { Kept } from "./kept.ts";

const name = "Acme";

const findDemo = async (db: Database, kept: Kept): Promise<Partner | undefined> =>
  (kept.partnerId === undefined ? undefined : await findPartner(db, kept.partnerId)) ??
  // The folder was deleted, but not the database.
  (await listPartners(db, { limit: 100 })).find((partner) => partner.name === name);

/** Finds or creates the demo partner, with a valid token. */
export const demoPartner = async (
  db: Database,
  kept: Kept,
): Promise<{ readonly partnerId: string; readonly token: string }> => {
  const partner =
    (await findDemo(db, kept)) ??
    (await insertPartner(db, newId("prt"), {
      name,
      destinationTool: "redmine",
      defaultFamily: "helpdesk",
      payer: "partner_decides",
      fullRequestUrl: null,
      branding: {},
      allowedSourceTools: null,
      archiveAfterDays: 90,
      includedDays: 30,
    }));
  const speaksFor = kept.token && (await createAuthenticator(db).authenticate(kept.token));
  if (kept.token && speaksFor && speaksFor.id === partner.id)
    return { partnerId: partner.id, token: kept.token };
  const { token } = await issueToken(db, partner.id, "npm run dev");
  return { partnerId: partner.id, token: token.reveal() };
};

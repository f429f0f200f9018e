import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { redmine, requestTracker } from "@portage/connectors";
import {
  insertPartner,
  issueToken,
  type Partner,
  type PartnerSettings,
} from "../../server/src/features/partners/index.ts";
import { createToolRegistry } from "../../server/src/features/tools/index.ts";
import type { Database } from "../../server/src/platform/db.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { createSealer } from "../../server/src/platform/seal.ts";
import { createSigner } from "../../server/src/platform/sign.ts";

/** Built pages as Vite leaves them, with other contents. */
export const testWebFolder = join(import.meta.dirname, "web-folder");

export const testSealer = () => createSealer([{ id: "k1", key: randomBytes(32) }]);

export const testSigner = () => createSigner([{ id: "k1", key: randomBytes(32) }]);

export const testRegistry = () => createToolRegistry([redmine, requestTracker]);

export const acme: PartnerSettings = {
  name: "Acme",
  destinationTool: "redmine",
  defaultFamily: null,
  payer: "partner_decides",
  fullRequestUrl: null,
  branding: {},
  allowedSourceTools: null,
  archiveAfterDays: 90,
  includedDays: 30,
};

/** A partner with a token, as the operator would create them. */
export const givenPartner = async (
  db: Database,
  settings: Partial<PartnerSettings> = {},
): Promise<{ partner: Partner; token: string; tokenId: string }> => {
  const partner = await insertPartner(db, newId("prt"), { ...acme, ...settings });
  const { token, record } = await issueToken(db, partner.id, "test");
  return { partner, token: token.reveal(), tokenId: record.id };
};

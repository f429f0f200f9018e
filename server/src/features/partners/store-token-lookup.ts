// Hot: the requests of every partner look up their token.
import type { Database } from "../../platform/db.ts";
import type { CallingPartner } from "./partner.ts";

/** Finds the partner of a live token. */
export const findPartnerByTokenHash = async (
  db: Database,
  hash: Buffer,
): Promise<CallingPartner | undefined> => {
  const { rows } = await db.pool.query<CallingPartner>({
    name: "partner-by-token",
    text: `select p.id, p.name, p.destination_tool as "destinationTool", p.default_family as "defaultFamily", p.payer,
             p.full_request_url as "fullRequestUrl", p.branding, p.allowed_source_tools as "allowedSourceTools",
             p.archive_after_days as "archiveAfterDays", p.included_days as "includedDays",
             p.old_links_days as "oldLinksDays", p.contact_email as "contactEmail", p.suspended_at as "suspendedAt", p.created_at as "createdAt",
             t.id as "tokenId"
           from api_tokens t join partners p on p.id = t.partner_id
           where t.hash = $1 and t.revoked_at is null and p.suspended_at is null`,
    values: [hash],
  });
  return rows[0];
};

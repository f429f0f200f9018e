import { findPartner } from "../../features/partners/index.ts";
import type { StaffMember } from "../../features/staff/index.ts";
import type { Database } from "../../platform/db.ts";
import { Problem } from "../answer.ts";

/** When it is a 403, for the description of a sign-in. */
export const refusedSignIn = "Another site's page sent it, or the person's partner is suspended.";

/**
 * Why this person can't sign in although they are who they say; null: they can. Their session would be refused at once, without a
 * reason.
 */
export const findSuspension = async (
  db: Database,
  { partnerId }: Pick<StaffMember, "partnerId">,
): Promise<Problem | null> => {
  const partner = partnerId === null ? undefined : await findPartner(db, partnerId);
  return partner?.suspendedAt
    ? new Problem(
        "forbidden",
        `${partner.name} is suspended, so none of its people can sign in. Ask the operator of Portage.`,
      )
    : null;
};

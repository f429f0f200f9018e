import type { AccountRole } from "@portage/contract/operator";

/** What a role may do here; the server decides, this only hides what it would refuse. */
export interface Rights {
  readonly role: AccountRole;
  /** Helps customers: runs, links, sponsorship. */
  readonly controlsImports: boolean;
  readonly erases: boolean;
  readonly readsAudit: boolean;
  /** Tests, replays, enables. */
  readonly operatesWebhooks: boolean;
  readonly disablesWebhooks: boolean;
  /** Sets the address, rotates the secret, sets the branding. */
  readonly setsPartner: boolean;
  /** Issues its tokens, suspends and resumes it. */
  readonly admitsPartners: boolean;
  /** Records payments and gives money back. */
  readonly settlesMoney: boolean;
  readonly switchesTools: boolean;
  /** Lists the staff, invites them, and changes their roles. */
  readonly managesStaff: boolean;
  /** Sees all partners and the system. */
  readonly seesAll: boolean;
}

export const rightsOf = (role: AccountRole): Rights => {
  const isAdmin = role === "admin";
  const isOperator = isAdmin || role === "operator";
  const isPartner = role === "partner";
  return {
    role,
    controlsImports: isOperator,
    erases: isAdmin,
    readsAudit: isOperator,
    operatesWebhooks: isOperator || isPartner,
    disablesWebhooks: isOperator,
    setsPartner: isAdmin || isPartner,
    admitsPartners: isAdmin,
    settlesMoney: isAdmin,
    switchesTools: isOperator,
    managesStaff: isAdmin,
    seesAll: !isPartner,
  };
};

import type { WizardSide } from "./import.ts";

/** POST /wizard/api/imports/:id/links: a link for an admin who only connects one side. */
export interface NewAdminLink {
  readonly purpose: "admin";
  readonly side: WizardSide;
}

/** Its answer, the only one that contains the address. */
export interface MadeLink {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string;
}

export interface ListedLink {
  readonly id: string;
  readonly purpose: "email" | "admin";
  readonly side: WizardSide | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** GET /wizard/api/imports/:id/links: the valid links. DELETE …/links/:link revokes one and its sessions. */
export interface ListedLinks {
  readonly links: readonly ListedLink[];
}

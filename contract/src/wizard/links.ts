import type { WizardSide } from "./import.ts";

/** POST /wizard/api/imports/:id/links: a link for somebody who only connects one side. */
export interface NewAdminLink {
  readonly purpose: "admin";
  readonly side: WizardSide;
}

/** Its answer. The address is told this once. */
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

/** GET /wizard/api/imports/:id/links: those that work. DELETE …/links/:link ends one, and who came by it. */
export interface ListedLinks {
  readonly links: readonly ListedLink[];
}

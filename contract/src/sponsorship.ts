export const sponsorships = ["undecided", "accepted", "rejected"] as const;

export type Sponsorship = (typeof sponsorships)[number];

/** Who pays for the full migrations of a partner's customers; set by the operator. */
export const payers = ["customer", "partner_decides", "partner"] as const;

export type Payer = (typeof payers)[number];

/** PUT /wizard/api/imports/:id/notices: where the customer wants to be written to. DELETE there ends it. */
export interface SetNotices {
  readonly email: string;
  /** Such as en or pt-BR; left out, or one that there are no texts in: English. */
  readonly language?: string | undefined;
}

/** Its answer, and a part of GET /wizard/api/imports/:id. */
export interface WizardNotices {
  /** Masked, such as a…@example.com. Null: nobody asked to be written to. */
  readonly email: string | null;
}

/** PUT /wizard/api/imports/:id/notices: the customer's address for notifications. DELETE there ends them. */
export interface SetNotices {
  readonly email: string;
  /** Such as en or pt-BR; English by default and for languages without texts. */
  readonly language?: string | undefined;
}

/** Its answer, and a part of GET /wizard/api/imports/:id. */
export interface WizardNotices {
  /** Masked, such as a…@example.com. Null: the customer asked for no notifications. */
  readonly email: string | null;
}

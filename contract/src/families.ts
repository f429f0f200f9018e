/** The product families: what kind of tool the data lives in. */
export const families = ["helpdesk", "projects", "crm", "content"] as const;

export type Family = (typeof families)[number];

export const isFamily = (value: unknown): value is Family => (families as readonly unknown[]).includes(value);

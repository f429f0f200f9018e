/** The nine statuses: our code and the text on the wire, in the order of a typical import. */
export const statusTexts = {
  collecting_credentials: "Collecting credentials",
  waiting_for_sample: "Waiting to start sample migration",
  sample_in_progress: "Sample migration in progress",
  sample_completed: "Sample migration completed",
  in_preparation: "In preparation",
  migration_in_progress: "Migration in progress",
  migration_completed: "Migration completed",
  undo_in_progress: "Undo in progress",
  migration_cleaned: "Migration cleaned",
} as const;

export type StatusCode = keyof typeof statusTexts;
export type StatusText = (typeof statusTexts)[StatusCode];

export const statusCodes = Object.keys(statusTexts) as [StatusCode, ...StatusCode[]];

export const isStatusCode = (value: string): value is StatusCode => Object.hasOwn(statusTexts, value);

/** Every warning code that the API can show, with its words. The reference lists them from here. */
export const warningTexts = {
  destination_unchecked:
    "The destination could not be reached while the import was created. It is checked again when the customer connects it.",
  run_failed: "The last run could not go on. Nothing was lost; it can be started again.",
  run_stopped: "The last run was stopped. It can be started again.",
  action_required: "A person must do something before this can go on.",
} as const;

export type WarningCode = keyof typeof warningTexts;

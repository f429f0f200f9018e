/** The findings of the pre-flight before a full run. The message of an import's own warning says more. */
export const preflightTexts = {
  not_connected: "A tool is not connected.",
  sign_in_refused: "A tool does not accept the sign-in any more.",
  no_permission: "The sign-in of a tool does not have the rights that are needed.",
  wrong_address: "A tool is not at the address that was given.",
  unreachable: "A tool could not be reached.",
  cannot_read: "The old tool does not let us read something that is to be copied.",
  no_room: "The plan of the new tool has no room for all that is to be copied.",
  left_behind: "The new tool has no place for some kind of record: it stays behind.",
  takes_long: "The copy takes longer than a day, because of what the tools allow per minute.",
  people_share_email: "Several people of one tool have the same e-mail address.",
  people_unsure: "Some people could be several people of the new tool; nobody has said which.",
  people_unmatched:
    "Some people are not in the new tool; their names go along as text, or somebody stands in.",
  words_unmatched: "Some words, such as statuses, have no counterpart in the new tool.",
  fields_empty: "A field that must be filled in the new tool gets nothing.",
  mapping_outdated: "The matching names something that is no longer there.",
  may_notify: "The new tool may send messages to people while records are copied.",
  not_checked: "Not everything could be checked in time.",
} as const;

export type PreflightCode = keyof typeof preflightTexts;

/** Every warning code that the API can show, with its text. The reference lists them from here. */
export const warningTexts = {
  ...preflightTexts,
  destination_unchecked:
    "The destination could not be reached while the import was created. It is checked again when the customer connects it.",
  run_failed: "The last run could not go on. Nothing was lost; it can be started again.",
  run_stopped: "The last run was stopped. It can be started again.",
  action_required: "A person must do something before this can go on.",
} as const;

export type WarningCode = keyof typeof warningTexts;

/** The text of an import's own warning: that of its code, with the cause if known. */
export const warningText = (code: WarningCode, cause: string | null): string =>
  code === "run_failed" && cause
    ? `The last run could not go on. ${cause} Nothing was lost; it can be started again.`
    : warningTexts[code];

import type { FindingKind } from "../../imports/index.ts";
import type { LedgerState } from "../ledger/row-state.ts";

/**
 * The possible outcomes of records, by stable code. The texts follow a number of records ("3 tickets …") and must fit
 * one as well as many. The reference lists them from here.
 */
export const reasons = {
  // Our own, for any tool.
  user_unmatched: "could not be matched to anyone in the new tool",
  parent_missing: "could not be copied because what they belong to was not copied",
  not_shown: "could not be read: the old tool does not show them to this account",
  too_large_to_read: "could not be read: too large",
  set_aside: "had to be set aside: our work on them broke off again and again",
  unreadable: "could not be read: the old tool refused",
  read_later: "could be read at a later attempt, with all that belongs to them",
  source_deleted: "no longer existed in the old tool when their turn came",
  not_supported: "could not be copied because the new tool has no place for them",
  in_doubt: "may or may not have arrived: the new tool never answered",
  update_failed: "could not be brought up to date; the earlier copy is still there",
  edited_since: "stayed untouched because somebody edited them in the new tool",
  maybe_edited: "stayed because their write had no clear answer, and somebody may have edited them since",
  deleted_since: "had been deleted in the new tool, and stayed deleted",
  replaced: "had been copied before somebody was chosen in their place, and stayed",
  used_by_another_import: "stayed because another import uses them",
  holds_kept_records: "stayed because something that stays is in them or points to them",
  being_removed: "could not be linked because another import was just taking them away",
  not_selected: "stayed behind, as chosen",
  cannot_be_removed: "stayed because the new tool has no way to remove them",
  already_there: "existed in the new tool already, and got linked",
  deleted_at_source: "had been deleted in the old tool after they were copied",
  kept_from_before: "stayed from an earlier copy, and came into use again",
  found_twice: "came to be in the new tool more than once",
  copy_differs: "differed from the old tool when they were compared",
  copy_unread: "could not be read again, and were not compared",
  copy_gone: "could not be found any more when they were to be read back",
  field_cleared: "had a field left empty",
  field_truncated: "had a field shortened to what the new tool can hold",
  field_converted: "had a field turned into another form",
  // Of the tools that come with Portage.
  rejected: "could not be written: the new tool refused them",
  forbidden: "could not be written with this sign-in",
  conflict: "could not be written: something else is in their place",
  not_found: "could not be written because something they depend on is gone",
  not_taken: "did not stay in the new tool, although it took them",
  not_recorded: "could not be written: the new tool did not record them",
  module_off: "could not be written because that part of the new tool is switched off",
  not_private: "could not be kept private, and stayed out",
  would_notify: "would have sent mail to people, and stayed out",
  too_large: "could not be written: too large for the new tool",
  no_file: "had no file to copy",
  file_missing: "had a file that is not there",
  older_not_shown: "could not be read: the old tool shows only the latest messages of a long conversation",
  malware_found: "had a file in which the old tool found malware",
  file_damaged: "had a file that arrived damaged",
  no_project: "had no project to go to",
  no_queue: "had no queue to go to",
  no_class: "had no class of articles to go to",
  setup_needed: "could not be written before something is set up in the new tool",
  missing_custom_field: "could not be written without a custom field that the new tool lacks",
  unsupported_parent: "could not be written where they belong in the new tool",
  ticket_closed: "could not be added: a closed ticket in the new tool can't be changed any more",
  not_changeable: "could not be changed once written",
  unexpected_record: "had a form that could not be read",
  no_key: "had no id",
  key_twice: "had an id that another record has as well",
  id_changed: "had another id by the time of the retry: bringing over changes copies them",
  required_empty: "lacked something that is required",
  unknown_field: "had a field that is not known",
  // Of rows of files.
  required_missing: "lacked something that is required: no column was chosen for it",
  id_too_long: "had an id that is too long",
  bad_date: "had a date that could not be read",
  bad_number: "had a number that could not be read",
  inexact_number: "had a number that would lose characters, such as a zero at its beginning",
  bad_duration: "had a duration that could not be read",
  bad_boolean: "had something in place of yes or no",
  unknown_word: "had a word for which no meaning was chosen",
  too_many_cells: "had more cells than the table has columns",
  open_quote: "had a quotation mark that is never closed",
  too_long: "had a row that is too long to be read",
  has_subtasks: "stayed because somebody put others under them",
  not_empty: "stayed because there is something of others in them",
  contents_hidden: "stayed because this account can't see what is in them",
  others_added: "stayed because people added something to them",
  in_use: "stayed because somebody uses them",
  not_readable: "may have stayed: the new tool does not show them to this account",
  key_gone: "stayed because the mark by which we know them is gone",
  other_key: "stayed because another record has their id now",
  not_ours: "stayed because they existed before",
} as const satisfies Readonly<Record<string, string>>;

export type ReasonCode = keyof typeof reasons;

const general: Readonly<Record<FindingKind, string>> = {
  failed: "could not be copied",
  skipped: "stayed out",
  kept: "stayed in place",
  changed: "came out changed",
  checked: "came out otherwise than expected",
};

const isKnown = (code: string): code is ReasonCode => Object.hasOwn(reasons, code);

/** The outcome in words that follow "3 tickets"; names an undescribed code of a tool. */
export const reasonText = (kind: FindingKind, code: string): string =>
  isKnown(code) ? reasons[code] : `${general[kind]} (${code})`;

const kinds: Readonly<Record<LedgerState, FindingKind>> = {
  written: "kept",
  matched: "kept",
  skipped: "skipped",
  failed: "failed",
  undone: "kept",
  kept: "kept",
};

/** The outcome of one record and its reason, for people: one sentence. */
export const explainState = (state: LedgerState, code: string): string =>
  `This record ${reasonText(kinds[state], code)}.`;

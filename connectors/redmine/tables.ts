import { table } from "./ask.ts";
import {
  attachmentRow,
  issueRow,
  journalRow,
  projectRow,
  relationRow,
  timeEntryRow,
  userRow,
  versionRow,
} from "./rows.ts";

export const issueTable = table("issues", "issue", issueRow);
export const userTable = table("users", "user", userRow);
export const projectTable = table("projects", "project", projectRow);
export const versionTable = table("versions", "version", versionRow);
export const timeEntryTable = table("time_entries", "time_entry", timeEntryRow);
export const relationTable = table("relations", "relation", relationRow);
export const attachmentTable = table("attachments", "attachment", attachmentRow);
export const journalTable = table("journals", "journal", journalRow);

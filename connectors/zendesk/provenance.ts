import {
  type Holds,
  mayDiffer,
  notHeld,
  ownValue,
  type RichText,
  splitOrigin,
  withOrigin,
} from "@portage/connector-kit";
import { convertRichText } from "@portage/connector-kit/rich-text";

/** What Zendesk can't hold of people and organizations, in their details. */
export const detailsWith = (line: string, key: string): string =>
  line === "" ? "" : withOrigin("", "plain", line, key).trimStart();

/** A row without what the import added to it. */
export const withoutDetails = <R extends { readonly details?: string | null | undefined }>(row: R): R =>
  splitOrigin(`\n\n${row.details ?? ""}`, "plain") === null ? row : { ...row, details: null };

/** Notes about people and organizations are plain texts. */
export const plainOf = (notes: RichText | null): string =>
  notes === null ? "" : convertRichText(notes, "plain").text;

/** People, organizations and groups, which Zendesk dates itself. */
export const deskHolds: Holds = {
  createdAt: ownValue("Zendesk dates it by its arrival; the details name the original time."),
  updatedAt: notHeld("Zendesk sets it itself."),
  tags: mayDiffer("Zendesk's tags are words in lower case."),
  customFields: mayDiffer("Zendesk has no such field; the details name its value."),
  name: mayDiffer("Zendesk needs a name."),
  notes: mayDiffer("Zendesk's notes are plain text."),
};

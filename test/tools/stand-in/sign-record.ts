import type { FamilyRecord } from "@portage/connector-kit";

/** Letters and digits alone: no tool's text format and no URL changes them. */
const signOf = (stream: string, id: string) => `row${id}of${stream}`;
const anySign = /^row\d+of[a-z]+ /i;

/** The field that every tool keeps, whatever else it drops. */
const signedFields = ["subject", "title", "name"] as const;

type Signable = FamilyRecord & {
  readonly body?: { readonly text: string };
} & Partial<Readonly<Record<(typeof signedFields)[number], string>>>;

/** A record with its row number in its text: its copies have it too, in every tool. */
export const signRecord = (stream: string, record: FamilyRecord): FamilyRecord => {
  const sign = (text: string) => `${signOf(stream, record.id)} ${text.replace(anySign, "")}`;
  const own = record as Signable;
  const field = signedFields.find((name) => own[name] !== undefined);
  if (field) return { ...record, [field]: sign(own[field] ?? "") };
  return own.body ? ({ ...record, body: { ...own.body, text: sign(own.body.text) } } as Signable) : record;
};

/** The row number in a text; null if there is none. */
export const readSign = (stream: string, text: string): string | null =>
  new RegExp(`row(\\d+)of${stream}(?![a-z])`, "i").exec(text)?.[1] ?? null;

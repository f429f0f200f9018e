import type { FamilyRecord, FieldChange } from "@portage/connector-kit";
import { convertRichText } from "@portage/connector-kit/rich-text";
import { shortened } from "./marker.ts";
import { canHold, firstMoment, heldMoment, toRtTime } from "./moments.ts";
import { type Agent, type Contact, organizationField } from "./people-source.ts";
import { originLine, strangeFields } from "./provenance.ts";
import { phoneFields } from "./users.ts";

export interface UserFields {
  readonly fields: Readonly<Record<string, string | number>>;
  readonly changes: readonly FieldChange[];
  /** What there is no field for, for the notes. */
  readonly line: string;
}

const maxName = 120;
const maxPhone = 30;

/** RT writes to whatever stands there. */
export const isAddress = (text: string): boolean => text.length <= 120 && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(text);

const isTimeZone = (text: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text.length <= 50 && text.includes("/");
  } catch {
    return false;
  }
};

const isLocale = (text: string) => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/.test(text);

const createdFields = ({ createdAt }: FamilyRecord): [Record<string, string>, FieldChange[]] => {
  if (createdAt === null) return [{}, []];
  const held = canHold(createdAt) ? heldMoment(createdAt) : firstMoment;
  const why = "Request Tracker has no dates before 1970, and whole seconds only.";
  const changes: FieldChange[] = held === createdAt ? [] : [{ field: "createdAt", change: "converted", why }];
  return [{ Created: toRtTime(held) }, changes];
};

const strangeChanges = (fields: Readonly<Record<string, unknown>>): FieldChange[] =>
  Object.entries(fields).map(([key, value]) => ({
    field: `customFields.${key}`,
    change: "cleared",
    why: value === null ? "It is empty." : "Request Tracker's people have no such field; a note names it.",
  }));

export const agentFields = (record: Agent): UserFields => {
  const [created, changes] = createdFields(record);
  const strange = strangeFields(record, new Set());
  const email = record.email && isAddress(record.email) ? record.email : "";
  const name = shortened(record.name.trim(), maxName);
  changes.push(...strangeChanges(strange));
  if (name !== record.name)
    changes.push({ field: "name", change: "truncated", why: "Request Tracker's names have at most 120 characters." });
  if (email !== (record.email ?? ""))
    changes.push({ field: "email", change: "cleared", why: "It is no e-mail address." });
  if (record.role !== "agent")
    changes.push({ field: "role", change: "converted", why: "Rights are given in Request Tracker by an administrator." });
  return {
    fields: { RealName: name, EmailAddress: email, Disabled: record.active ? 0 : 1, ...created },
    changes,
    line: originLine({ tags: record.tags, people: {}, also: strange }),
  };
};

const difference = (
  changes: FieldChange[],
  field: string,
  wanted: unknown,
  held: unknown,
  why: string,
  change: FieldChange["change"] = "cleared",
) => {
  if (JSON.stringify(wanted) !== JSON.stringify(held)) changes.push({ field, change, why });
};

export const contactFields = (record: Contact): UserFields => {
  const [created, changes] = createdFields(record);
  const organization = record.customFields[organizationField];
  const strange = strangeFields(record, new Set([organizationField]));
  changes.push(...strangeChanges(strange));
  const addresses = record.emails.filter(isAddress).slice(0, 1);
  const phones = record.phones.map((phone) => shortened(phone.trim(), maxPhone)).slice(0, phoneFields.length);
  const locale = record.locale && isLocale(record.locale) ? record.locale : null;
  const timeZone = record.timeZone && isTimeZone(record.timeZone) ? record.timeZone : null;
  const name = shortened(record.name.trim(), maxName);
  const notes = record.notes ? convertRichText(record.notes, "plain").text : null;
  const plain = record.notes?.format === "plain" ? record.notes.text : notes;
  difference(changes, "emails", record.emails, addresses, "Request Tracker's people have one valid address.");
  difference(changes, "phones", record.phones, phones, "At most four numbers of 30 characters each.", "truncated");
  difference(changes, "locale", record.locale, locale, "It is no language that Request Tracker could know.");
  difference(changes, "timeZone", record.timeZone, timeZone, "It is no time zone.");
  difference(changes, "name", record.name, name, "Request Tracker's names have at most 120 characters.", "truncated");
  if (record.notes && record.notes.format !== "plain")
    changes.push({ field: "notes", change: "converted", why: "Notes on people are plain text in Request Tracker." });
  const line = originLine({
    tags: record.tags,
    people: {},
    also: { "Other addresses": record.emails.filter((each) => !addresses.includes(each)), ...strange },
  });
  const fields: Record<string, string | number> = {
    RealName: name,
    EmailAddress: addresses[0] ?? "",
    FreeformContactInfo: plain ?? "",
    Lang: locale?.replace("-", "_") ?? "",
    Timezone: timeZone ?? "",
    Organization: typeof organization === "string" ? organization : "",
    ...created,
  };
  phoneFields.forEach((field, index) => {
    fields[field] = phones[index] ?? "";
  });
  return { fields, changes, line };
};

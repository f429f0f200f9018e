import {
  type FamilyRecord,
  type Holds,
  mayDiffer,
  notHeld,
  originLine,
  strangeFields,
  truncateBytes,
} from "@portage/connector-kit";
import { convertRichText } from "@portage/connector-kit/rich-text";
import { nearestMoment, toRtTime, wholeSeconds } from "./moments.ts";
import { type Agent, type Contact, organizationField } from "./people-source.ts";
import { phoneFields } from "./users.ts";

export interface UserFields {
  readonly fields: Readonly<Record<string, string | number>>;
  /** Values that RT has no field for; they go into the notes. */
  readonly line: string;
}

const maxName = 120;
const maxPhone = 30;

/** RT sends mail to any text in this field. */
export const isAddress = (text: string): boolean =>
  text.length <= 120 && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(text);

const isTimeZone = (text: string): boolean => {
  try {
    Intl.DateTimeFormat("en", { timeZone: text });
    return text.length <= 50 && text.includes("/");
  } catch {
    return false;
  }
};

const isLocale = (text: string) => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/.test(text);

const createdFields = ({ createdAt }: FamilyRecord): Record<string, string> =>
  createdAt === null ? {} : { Created: toRtTime(nearestMoment(createdAt)) };

export const agentFields = (record: Agent): UserFields => ({
  fields: {
    RealName: truncateBytes(record.name.trim(), maxName),
    EmailAddress: record.email && isAddress(record.email) ? record.email : "",
    Disabled: record.active ? 0 : 1,
    ...createdFields(record),
  },
  line: originLine({ also: { Tags: record.tags, ...record.customFields } }),
});

export const contactFields = (record: Contact): UserFields => {
  const organization = record.customFields[organizationField];
  const addresses = record.emails.filter(isAddress).slice(0, 1);
  const phones = record.phones
    .map((phone) => truncateBytes(phone.trim(), maxPhone))
    .slice(0, phoneFields.length);
  const { locale, timeZone, notes } = record;
  const fields: Record<string, string | number> = {
    RealName: truncateBytes(record.name.trim(), maxName),
    EmailAddress: addresses[0] ?? "",
    FreeformContactInfo: notes
      ? notes.format === "plain"
        ? notes.text
        : convertRichText(notes, "plain").text
      : "",
    Lang: locale && isLocale(locale) ? locale.replace("-", "_") : "",
    Timezone: timeZone && isTimeZone(timeZone) ? timeZone : "",
    Organization: typeof organization === "string" ? organization : "",
    ...createdFields(record),
  };
  phoneFields.forEach((field, index) => {
    fields[field] = phones[index] ?? "";
  });
  const line = originLine({
    also: {
      Tags: record.tags,
      "Other addresses": record.emails.filter((each) => !addresses.includes(each)),
      ...strangeFields(record, [organizationField]),
    },
  });
  return { fields, line };
};

/** What RT can't hold of a person as it is. */
export const personHolds: Holds = {
  tags: notHeld("Request Tracker has no tags; a note names them."),
  updatedAt: notHeld("Request Tracker sets it itself."),
  name: mayDiffer("Request Tracker's names have at most 120 bytes and no spaces around them."),
  email: mayDiffer("This is not an email address."),
  role: mayDiffer("Only an administrator can grant rights in Request Tracker."),
  emails: mayDiffer("Request Tracker's people have one valid address; a note names the others."),
  phones: mayDiffer("Request Tracker holds at most four numbers of at most 30 bytes each."),
  locale: mayDiffer("Request Tracker does not know this language."),
  timeZone: mayDiffer("This is not a time zone."),
  notes: mayDiffer("Notes on people are plain text in Request Tracker."),
  createdAt: mayDiffer(wholeSeconds),
  customFields: mayDiffer("Request Tracker's people have no such field; a note names it."),
};

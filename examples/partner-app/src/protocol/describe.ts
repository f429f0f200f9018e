import { helpdesk } from "@portage/connector-kit";
import { option, ticketFields } from "../ticket-fields.ts";
import { peoplePage } from "../store/store-calls.ts";
import type { Store } from "../store/store.ts";
import { createdFields } from "../store/store-fields.ts";
import { streamNames } from "../store/store-tables.ts";

export interface Limits {
  readonly batchItems: number;
  readonly bodyBytes: number;
  readonly fileBytes: number;
}

const peoplePerPage = 500;

/** Of the fields that an import can add: the desk has no link between a field and a person. */
const fieldTypes = ["text", "long-text", "number", "boolean", "date", "moment", "choice", "choices", "link"];

const options = {
  tickets: {
    status: [
      option("new", "New"),
      option("open", "Open"),
      option("pending", "Pending"),
      option("solved", "Solved"),
      option("closed", "Closed"),
    ],
    priority: [
      option("low", "Low"),
      option("normal", "Normal"),
      option("high", "High"),
      option("urgent", "Urgent"),
    ],
  },
};

const pages: Readonly<Record<string, string>> = {
  tickets: "/tickets/{id}",
  comments: "/tickets/{parentId}#comment-{id}",
  contacts: "/contacts/{id}",
  articles: "/articles/{id}",
  attachments: "/attachments/{id}",
  users: "/people#user-{id}",
  groups: "/people#group-{id}",
};

/** The description of this desk for Portage. */
export const describeDesk = (
  store: Store,
  { publicUrl, accountName, limits }: { publicUrl: string; accountName: string; limits: Limits },
  peopleAfter: string | null,
) => {
  const people = peoplePage(store.database, peopleAfter, peoplePerPage);
  return {
    protocol: 1,
    tool: { name: "Ferry Desk", accountName, accountId: accountName },
    limits,
    families: [
      {
        family: "helpdesk",
        streams: streamNames.map((name) => ({
          name,
          // This desk holds all of them; one that takes only some would name those.
          addedFields: helpdesk[name].addedFields,
          duties: ["silent", "backdates", "keeps-author"],
          opens: name === "attachments",
          customFields: [...(name === "tickets" ? ticketFields : []), ...createdFields(store, name)],
          createsFields: name === "tickets" || name === "contacts" ? fieldTypes : [],
          options: name === "tickets" ? options.tickets : {},
          ...(pages[name] && { url: `${publicUrl}${pages[name]}` }),
        })),
      },
    ],
    people,
    peopleNext: people.length === peoplePerPage ? (people.at(-1)?.id ?? null) : null,
  };
};

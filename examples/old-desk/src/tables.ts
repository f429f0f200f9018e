/** A person in one of the two tables of people; a name alone is left of a deleted person. */
export type PersonRef =
  | { readonly table: "agents" | "customers"; readonly id: number }
  | { readonly name: string };

interface Dated {
  readonly id: number;
  readonly made: string;
  readonly changed: string;
}

export interface Agent extends Dated {
  readonly name: string;
  readonly email: string | null;
  readonly admin: boolean;
  readonly active: boolean;
}

export interface Company extends Dated {
  /** In the shop's bookkeeping. */
  readonly account: string | null;
  readonly name: string;
  readonly domains: readonly string[];
  readonly notes: string | null;
}

export interface Customer extends Dated {
  readonly name: string;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly companyId: number | null;
  /** Further companies. */
  readonly alsoOf: readonly number[];
  /** In the shop's bookkeeping. */
  readonly account: string | null;
  readonly blocked: boolean;
  readonly language: string | null;
  readonly notes: string | null;
}

export interface Team extends Dated {
  readonly name: string;
  readonly purpose: string;
  readonly members: readonly number[];
}

export const states = ["New", "Open", "Waiting for customer", "In the workshop", "Done", "Closed"] as const;
export type State = (typeof states)[number];

export const priorities = ["Low", "Normal", "High", "Drop everything"] as const;
export type Priority = (typeof priorities)[number];

export interface Ticket extends Dated {
  /** What people call it: "AD-1042". */
  readonly number: string;
  readonly subject: string;
  readonly text: string;
  readonly state: State;
  readonly priority: Priority;
  readonly kind: string;
  readonly author: PersonRef;
  readonly customerId: number | null;
  readonly agentId: number | null;
  readonly teamId: number | null;
  readonly companyId: number | null;
  readonly channel: string;
  /** The web form that it came through. */
  readonly form: string | null;
  readonly shop: string;
  readonly bin: "spam" | "archive" | null;
  readonly mergedInto: number | null;
  readonly copies: readonly string[];
  readonly tags: readonly string[];
  readonly due: string | null;
  readonly done: string | null;
  /** The fields that Acme added to its tickets. */
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

export interface Message extends Dated {
  readonly ticketId: number;
  readonly author: PersonRef;
  readonly internal: boolean;
  readonly via: "mail" | "phone" | null;
  /** Of a mail. */
  readonly to: readonly string[];
  readonly copies: readonly string[];
  readonly text: string;
}

export interface Article extends Dated {
  readonly title: string;
  readonly text: string;
  readonly shelf: readonly string[];
  readonly shelfId: number | null;
  readonly state: "draft" | "published";
  readonly agentId: number;
}

export interface FileRow extends Dated {
  readonly parent: { readonly table: "tickets" | "messages" | "articles"; readonly id: number };
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** Shown inside the text. */
  readonly inline: boolean;
}

/** A category of help pages. */
export interface Shelf extends Dated {
  readonly name: string;
  readonly about: string | null;
  readonly under: number | null;
  readonly place: number;
}

export interface Translation extends Dated {
  readonly articleId: number;
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

/** A text that agents put into answers. */
export interface Snippet extends Dated {
  readonly name: string;
  readonly folder: string;
  readonly text: string;
  readonly teams: readonly number[];
}

/** From a ticket to the one that it repeats or belongs to. */
export interface TicketLink extends Dated {
  readonly from: number;
  readonly to: number;
  readonly how: "same as" | "part of";
}

export interface Work extends Dated {
  readonly ticketId: number;
  readonly agentId: number;
  readonly minutes: number;
  readonly paid: boolean;
  readonly done: string;
}

export interface Rating extends Dated {
  readonly ticketId: number;
  readonly customerId: number;
  readonly stars: 1 | 2 | 3 | 4 | 5;
  readonly words: string | null;
}

export interface Tables {
  readonly shelves: Shelf;
  readonly translations: Translation;
  readonly snippets: Snippet;
  readonly links: TicketLink;
  readonly work: Work;
  readonly ratings: Rating;
  readonly agents: Agent;
  readonly companies: Company;
  readonly customers: Customer;
  readonly teams: Team;
  readonly tickets: Ticket;
  readonly messages: Message;
  readonly articles: Article;
  readonly files: FileRow;
}

export type TableName = keyof Tables;

export const tableNames = [
  "agents",
  "companies",
  "customers",
  "teams",
  "tickets",
  "messages",
  "articles",
  "files",
  "shelves",
  "translations",
  "snippets",
  "links",
  "work",
  "ratings",
] as const satisfies readonly TableName[];

/** What people added to tickets, as the API describes it. */
export const ticketFields = [
  { key: "order", label: "Order number", type: "text" },
  {
    key: "lamp",
    label: "Lamp",
    type: "choice",
    options: ["Aurora", "Beacon", "Candela", "Dusk", "Ember"],
  },
  { key: "warranty", label: "Warranty until", type: "date" },
  { key: "refund", label: "Refund in cents", type: "number" },
  { key: "safety", label: "Safety relevant", type: "boolean" },
] as const;

import { type Connector, pathWithin } from "@portage/connector-kit";
import type { ZnunySettings } from "./settings.ts";

const page = ({ instanceUrl }: ZnunySettings, query: string) =>
  `${instanceUrl.replace(/\/$/, "")}/index.pl?${query}`;

export const ticketUrl = (settings: ZnunySettings, id: string | number) =>
  page(settings, `Action=AgentTicketZoom;TicketID=${id}`);

export const articleUrl = (settings: ZnunySettings, id: string) => {
  const [ticket, article] = id.split(".");
  return `${ticketUrl(settings, ticket ?? "")};ArticleID=${article}`;
};

export const queueUrl = (settings: ZnunySettings, id: string) =>
  page(settings, `Action=AgentTicketQueue;QueueID=${id}`);

const numeric = (text: string | null): string | null => (/^[1-9]\d{0,17}$/.test(text ?? "") ? text : null);

/** Znuny separates the parts of a query by semicolons, and its browser scripts by ampersands. */
export const recordAt: NonNullable<Connector<ZnunySettings>["recordAt"]> = ({ instanceUrl }, url) => {
  const within = pathWithin(
    instanceUrl,
    url.replace(/\?[^#]*/, (query) => query.replaceAll(";", "&")),
  );
  if (within?.path !== "index.pl") return null;
  const get = (name: string) => numeric(within.query.get(name));
  const action = within.query.get("Action");
  const queue = get("QueueID");
  if (action === "AgentTicketQueue") return queue ? { stream: "groups", id: queue } : null;
  const ticket = get("TicketID");
  if (action !== "AgentTicketZoom" || !ticket) return null;
  const article = get("ArticleID");
  return article ? { stream: "comments", id: `${ticket}.${article}` } : { stream: "tickets", id: ticket };
};

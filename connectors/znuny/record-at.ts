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

/** By script: agents and customers have pages of their own for the same ticket. */
const zooms: Readonly<Record<string, string>> = {
  "index.pl": "AgentTicketZoom",
  "customer.pl": "CustomerTicketZoom",
};

/**
 * Znuny separates the parts of a query by semicolons, and its browser scripts by ampersands. A ticket's number is not its id, and only
 * Znuny knows which belongs to which.
 */
export const recordAt: NonNullable<Connector<ZnunySettings>["recordAt"]> = ({ instanceUrl }, url) => {
  const within = pathWithin(
    instanceUrl,
    url.replace(/\?[^#]*/, (query) => query.replaceAll(";", "&")),
  );
  const zoom = within && Object.hasOwn(zooms, within.path) ? zooms[within.path] : undefined;
  if (!within || zoom === undefined) return null;
  const get = (name: string) => numeric(within.query.get(name));
  const action = within.query.get("Action");
  const queue = get("QueueID");
  if (action === "AgentTicketQueue" && within.path === "index.pl")
    return queue ? { stream: "groups", id: queue } : null;
  const ticket = get("TicketID");
  if (action !== zoom || !ticket) return null;
  const shown = { stream: "tickets", id: ticket };
  const article = get("ArticleID");
  return article ? { stream: "comments", id: `${ticket}.${article}`, parent: shown } : shown;
};

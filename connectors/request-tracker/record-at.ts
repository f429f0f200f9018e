import { type Connector, pathWithin } from "@portage/connector-kit";
import type { RtSettings } from "./settings.ts";

const numeric = (text: string | null): string | null => (/^[1-9]\d{0,9}$/.test(text ?? "") ? text : null);

/** A URL does not show whether a person is an agent or a contact, so people are always found as contacts. */
export const recordAt: NonNullable<Connector<RtSettings>["recordAt"]> = ({ instanceUrl }, url) => {
  const within = pathWithin(instanceUrl, url);
  if (!within) return null;
  const { path, query, fragment } = within;
  const [, queue] = /^Queue = '?(\d+)'?$/.exec(query.get("Query") ?? "") ?? [];
  if (path === "Search/Results.html")
    return numeric(queue ?? null) ? { stream: "groups", id: queue ?? "" } : null;
  const ids = query.getAll("id");
  const id = ids.length === 1 ? numeric(ids[0] ?? null) : null;
  if (!id) return null;
  if (/^(?:Ticket\/(?:Display|History)|SelfService\/Display)\.html$/.test(path)) {
    const said = numeric(/^txn-(\d+)$/.exec(fragment)?.[1] ?? null);
    return said ? { stream: "comments", id: said } : { stream: "tickets", id };
  }
  if (path === "Articles/Article/Display.html") return { stream: "articles", id };
  return path === "User/Summary.html" ? { stream: "contacts", id } : null;
};

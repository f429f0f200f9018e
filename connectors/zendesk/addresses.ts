import { pathWithin } from "@portage/connector-kit";
import { originOf, type ZendeskSettings } from "./settings.ts";

interface Found {
  readonly stream: string;
  readonly id: string;
}

/** Ids have up to 15 digits; what follows an id is a tab of its page or words of its title. */
const pages: readonly (readonly [string, RegExp])[] = [
  ["tickets", /^(?:agent\/)?tickets\/([1-9]\d{0,14})$/],
  ["tickets", /^hc\/(?:[a-z-]{2,10}\/)?requests\/([1-9]\d{0,14})$/],
  ["contacts", /^agent\/users\/([1-9]\d{0,14})(?:\/[a-z_]+)?$/],
  ["organizations", /^agent\/organizations\/([1-9]\d{0,14})(?:\/[a-z_]+)?$/],
  ["articles", /^hc\/(?:[a-z-]{2,10}\/)?articles\/([1-9]\d{0,14})(?:-[^/]*)?$/],
];

const folders: Readonly<Record<string, string>> = {
  tickets: "agent/tickets",
  users: "agent/users",
  contacts: "agent/users",
  organizations: "agent/organizations",
  articles: "hc/articles",
};

export const urlOf =
  (stream: string) =>
  (settings: ZendeskSettings, { id }: { readonly id: string }): string =>
    `${originOf(settings)}/${folders[stream]}/${id}`;

export const recordAt = (settings: ZendeskSettings, url: string): Found | null => {
  const path = pathWithin(originOf(settings), url)?.path.replace(/\/$/, "") ?? "";
  for (const [stream, page] of pages) {
    const id = page.exec(path)?.[1];
    if (id !== undefined) return { stream, id };
  }
  return null;
};

/** The same for a link in a text, which may be relative. */
export const targetOf = (settings: ZendeskSettings, url: string): Found | null =>
  recordAt(settings, URL.parse(url, originOf(settings))?.href ?? "");

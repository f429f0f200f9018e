import type { Io } from "@portage/connector-kit";
import { z } from "zod";

/** Where Zendesk is. Tests hand in a stand-in's addresses; customers can't. */
export interface ZendeskOrigins {
  /** Which origins are accounts. */
  readonly account: RegExp;
  /** Where Zendesk keeps files: never with credentials. */
  readonly files: readonly string[];
  /** How far exports are behind: they leave out the most recent minute. */
  readonly exportLagMs: number;
}

export const vendorOrigins: ZendeskOrigins = {
  account: /^https:\/\/[a-z0-9][a-z0-9-]*\.zendesk\.com$/,
  files: ["https://*.zdusercontent.com"],
  exportLagMs: 60_000,
};

export const settingsAt = ({ account }: ZendeskOrigins) =>
  z.object({
    instanceUrl: z
      .url()
      .refine((url) => account.test(URL.parse(url)?.origin ?? ""), {
        error: "must be an address that ends with .zendesk.com",
      })
      .meta({
        title: "Zendesk address",
        description: "The address in your browser, such as https://acme.zendesk.com.",
      }),
    username: z
      .email()
      .optional()
      .meta({ title: "Your email address", description: "With which you sign in as an administrator." }),
    token: z
      .string()
      .min(1)
      .optional()
      .meta({
        title: "API token",
        description: "In Zendesk: Admin Center, Apps and integrations, APIs, Zendesk API, “Add API token”.",
        where: [
          "In Zendesk, open **Admin Center › Apps and integrations › APIs › API tokens**.",
          "Turn on **Token access** if it is off, and press **Add API token**.",
          "Give it a description such as “Portage”, copy the token and paste it here. Zendesk shows it once.",
        ],
        notThere: "No such entry? Only administrators see it, and only they may export and import tickets.",
      }),
  });

export type ZendeskSettings = z.infer<ReturnType<typeof settingsAt>>;
export type ZendeskIo = Io<ZendeskSettings>;

export const originOf = ({ instanceUrl }: ZendeskSettings): string => new URL(instanceUrl).origin;

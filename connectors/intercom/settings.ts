import type { Io } from "@portage/connector-kit";
import { z } from "zod";

/** Where Intercom is. Tests hand in a stand-in's addresses; customers can't. */
export interface Origins {
  /** The API of each region, by the origin of its pages: a workspace belongs to one region. */
  readonly regions: Readonly<Record<string, string>>;
  /** Where Intercom stores files: never with credentials. */
  readonly files: readonly string[];
}

const shards = Array.from({ length: 9 }, (_, index) => `https://*.intercom-attachments-${index + 1}.com`);

export const vendorOrigins: Origins = {
  regions: {
    "https://app.intercom.com": "https://api.intercom.io/",
    "https://app.eu.intercom.com": "https://api.eu.intercom.io/",
    "https://app.au.intercom.com": "https://api.au.intercom.io/",
  },
  files: [
    "https://downloads.intercomcdn.com",
    "https://downloads.intercomcdn.eu",
    "https://downloads.au.intercomcdn.com",
    ...shards,
    "https://*.intercom-attachments.eu",
    "https://*.au.intercom-attachments.com",
  ],
};

/** The region's pages and the workspace, out of the address of any page. */
export const placeOf = ({ instanceUrl }: { readonly instanceUrl: string }) => {
  const url = URL.parse(instanceUrl);
  const workspace = /^\/a\/(?:inbox|apps)\/([a-z0-9]{1,20})(?:\/|$)/.exec(url?.pathname ?? "")?.[1];
  return url && workspace ? { origin: url.origin, workspace } : null;
};

export const settingsAt = ({ regions }: Origins) =>
  z.object({
    instanceUrl: z
      .url()
      .refine((url) => Object.hasOwn(regions, placeOf({ instanceUrl: url })?.origin ?? ""), {
        error:
          "must be the address of a page of your workspace, such as https://app.intercom.com/a/inbox/acme",
      })
      .meta({
        title: "Intercom address",
        description: "From your browser, with the inbox open: https://app.intercom.com/a/inbox/acme.",
      }),
    token: z
      .string()
      .min(1)
      .optional()
      .meta({
        title: "Access token",
        description: "In Intercom's Developer Hub: your app, Configure, Authentication.",
        where: [
          "Open **app.intercom.com/a/developer-signup**, or Intercom's **Settings › Integrations › Developer Hub**.",
          "Press **New app**, name it “Portage”, and choose the workspace that you leave.",
          "Open **Configure › Authentication** of the app, copy the **access token** and paste it here.",
        ],
        notThere: "No Developer Hub? Only teammates who may manage apps see it: ask an administrator.",
      }),
  });

export type Settings = z.infer<ReturnType<typeof settingsAt>>;
export type IntercomIo = Io<Settings>;

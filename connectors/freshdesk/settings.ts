import type { Io } from "@portage/connector-kit";
import { z } from "zod";

export interface Settings {
  readonly instanceUrl: string;
  readonly token: string;
}

export type FreshdeskIo = Io<Settings>;

/** Where Freshdesk is. Tests hand in the addresses of a stand-in. */
export interface Origins {
  /** The form of a customer's address. */
  readonly instance: RegExp;
  /** Hosts of files, which never get the key. */
  readonly files: readonly string[];
  /** The id of an image inside a text, by its address, which is signed anew for each answer; null: an image on another host. */
  imageId(url: string): string | null;
}

/** The part of a signed link to Freshdesk that names the file: `token` is a JSON Web Token. Others sign links this way too. */
const idInToken = (url: string): string | null => {
  const link = URL.parse(url);
  if (link?.protocol !== "https:" || !link.hostname.endsWith(".freshdesk.com")) return null;
  const [, payload = ""] = (link.searchParams.get("token") ?? "").split(".");
  try {
    const { id } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { id?: unknown };
    return /^\d{1,18}$/.test(String(id)) ? String(id) : null;
  } catch {
    return null;
  }
};

export const vendorOrigins: Origins = {
  instance: /^https:\/\/[a-z0-9-]+\.freshdesk\.com\/?$/,
  files: ["https://*.freshdesk.com", "https://s3.amazonaws.com", "https://*.s3.amazonaws.com"],
  imageId: idInToken,
};

export const settingsFor = ({ instance }: Origins) =>
  z.object({
    instanceUrl: z
      .url()
      .regex(instance, "It has the form https://acme.freshdesk.com.")
      .meta({ title: "Freshdesk address", description: "As in your browser: https://acme.freshdesk.com." }),
    token: z
      .string()
      .min(1)
      .meta({
        title: "API key",
        description: "In Freshdesk: your picture, Profile settings, View API key.",
        where: [
          "In Freshdesk, open **your picture › Profile settings** at the top right.",
          "Press **View API key** and answer the question that follows.",
          "Copy the key and paste it here. To move data into Freshdesk, it has to be the key of an administrator.",
        ],
        notThere: "No key to see? An administrator has to switch API access on for your agent.",
      }),
  });

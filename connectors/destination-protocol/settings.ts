import { z } from "zod";

/** Worded for the partner's customers, who enter the values that the partner did not send with the import. */
export const settings = z.object({
  instanceUrl: z.url({ protocol: /^https?$/ }).meta({
    title: "Connection address",
    description: "It begins with https:// and can differ from the address in your browser.",
  }),
  token: z.string().min(16).max(4_096).meta({
    title: "Connection key",
    description: "A long line of letters and digits that belongs to the connection address.",
  }),
});

export type Settings = z.infer<typeof settings>;

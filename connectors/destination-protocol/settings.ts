import { z } from "zod";

export const settings = z.object({
  instanceUrl: z.url({ protocol: /^https?$/ }).meta({
    title: "Address of the destination",
    description: "Where your tool answers to Portage's calls: the part before /describe.",
  }),
  token: z.string().min(16).max(4_096).meta({
    title: "Shared secret",
    description: "What Portage signs its calls with: whsec_ and 32 bytes in base64.",
  }),
});

export type Settings = z.infer<typeof settings>;

import { z } from "zod";

/** What a person gives to connect; the wizard draws its form from the titles and descriptions. */
export const settings = z.object({
  instanceUrl: z.url().meta({
    title: "My Tool address",
    description: "The address in your browser, without the page.",
  }),
  token: z.string().min(1).meta({
    title: "API token",
    description: "In My Tool: where to click to get one.",
  }),
});

export type Settings = z.infer<typeof settings>;

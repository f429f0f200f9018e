import type { Io } from "@portage/connector-kit";
import { z } from "zod";

export const settings = z.object({
  instanceUrl: z
    .url()
    .meta({ title: "Request Tracker address", description: "The address of its front page." }),
  token: z
    .string()
    .min(1)
    .meta({
      title: "Authentication token",
      description: "In Request Tracker: Logged in as, Settings, Auth Tokens, “Create”.",
      where: [
        "In Request Tracker, open **Logged in as › Settings › Auth Tokens** at the top right.",
        "Press **Create**, and give the token a name such as “Portage”.",
        "Copy the token and paste it here. Request Tracker shows it once.",
      ],
      notThere: "No such entry? An administrator has to give you the right **ManageAuthTokens**.",
    }),
  externalIdField: z.string().min(1).default("External ID").meta({
    role: "destination",
    title: "Custom field for the external key",
    description:
      "Only to write: a ticket custom field of the type “Enter one value”, applied to all queues. It is how copies are recognised.",
  }),
});

export type RtSettings = z.infer<typeof settings>;
export type RtIo = Io<RtSettings>;

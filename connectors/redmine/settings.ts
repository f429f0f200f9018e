import type { Io } from "@portage/connector-kit";
import { z } from "zod";

export const settings = z.object({
  instanceUrl: z
    .url()
    .meta({ title: "Redmine address", description: "The address in your browser, without the page." }),
  token: z
    .string()
    .min(1)
    .meta({
      title: "API access key",
      description: "Of an administrator. In Redmine: My account, then “API access key” on the right, “Show”.",
      where: [
        "In Redmine, open **My account** at the top right.",
        "On the right, under **API access key**, press **Show**.",
        "Copy the key and paste it here.",
      ],
      notThere:
        "No such section? An administrator has to switch on **Administration › Settings › API › Enable REST web service**.",
    }),
  textFormat: z
    .enum(["textile", "markdown"])
    .default("textile")
    .meta({
      title: "Text formatting",
      description: "In Redmine: Administration, Settings, General, “Text formatting”.",
      options: { textile: "Textile", markdown: "Markdown or CommonMark" },
    }),
  notifications: z
    .enum(["on", "off"])
    .default("on")
    .meta({
      role: "destination",
      important: true,
      title: "Email notifications of Redmine",
      description:
        "To keep authors and assignees, switch off all events in Administration, Settings, Email notifications, for the time of the move.",
      options: {
        on: "They may be on: set no authors, assignees or members, since Redmine would email them",
        off: "All are switched off: keep authors, assignees and members",
      },
    }),
  project: z.string().default("").meta({
    role: "destination",
    title: "Project",
    description: "The identifier of the project for articles, and for tickets that have no group.",
  }),
  memberRole: z.string().default("").meta({
    role: "destination",
    title: "Role of members",
    description: "The name of the role that people get in copied projects; if empty, the import chooses one.",
  }),
});

export type Settings = z.infer<typeof settings>;
export type RedmineIo = Io<Settings>;

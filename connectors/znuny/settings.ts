import type { Io } from "@portage/connector-kit";
import { z } from "zod";

const isTimeZone = (name: string): boolean => {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
};

export const settings = z.object({
  instanceUrl: z.url().meta({
    title: "Znuny or OTRS address",
    description:
      "What stands in front of “index.pl” in your browser, such as https://desk.example.com/znuny.",
    where: [
      "Open any ticket in Znuny as an agent and look at your browser's address bar.",
      "Copy the address up to **index.pl**, without it: https://desk.example.com/**znuny**.",
    ],
  }),
  username: z
    .string()
    .min(1)
    .meta({
      title: "Agent's login",
      description: "An agent who may read (ro) every queue that should move. Portage only reads.",
      where: [
        "An administrator opens **Admin › Agents** and adds an agent, such as “portage”.",
        "Under **Admin › Agents ↔ Groups** give it **ro** for each group whose queues should move.",
      ],
    }),
  password: z.string().min(1).meta({
    title: "Agent's password",
    description: "Of the agent above. Portage signs in to the web service with it.",
  }),
  webService: z
    .string()
    .regex(/^[^/?#]+$/, "This is not the name of a web service.")
    .default("GenericTicketConnectorREST")
    .meta({
      title: "Web service",
      description: "Its name under Admin › Web Services.",
      where: [
        "An administrator opens **Admin › Web Services**.",
        "Is there a service with the operations **SessionCreate**, **TicketSearch** and **TicketGet** and the transport **HTTP::REST**? Enter its name.",
        "If not: **Add Web Service › Import**, with the file **development/webservices/GenericTicketConnectorREST.yml** that comes with Znuny.",
      ],
      notThere:
        "Portage expects the routes of that file: POST /Session, GET /Ticket and GET /Ticket/:TicketID.",
    }),
  timeZone: z
    .string()
    .max(60)
    .refine(isTimeZone, "There is no such time zone.")
    .default("UTC")
    .meta({
      title: "Znuny's time zone",
      description: "The setting OTRSTimeZone: UTC, unless an administrator changed it.",
      where: [
        "An administrator opens **Admin › System Configuration** and searches for **OTRSTimeZone**.",
        "Enter its value, such as Europe/Berlin.",
      ],
    }),
});

export type ZnunySettings = z.output<typeof settings>;
export type ZnunyIo = Io<ZnunySettings>;

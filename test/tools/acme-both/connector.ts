import { type Connector, helpdesk } from "@portage/connector-kit";
import { choiceConnector } from "../../support/authorization-server.ts";
import { counted } from "../acme-cloud/connector.ts";

/** Acme Cloud's sibling with a key as well as a sign-in page. */
export const connector = {
  ...(choiceConnector() as never as Connector),
  source: { helpdesk: [counted(helpdesk.contacts), counted(helpdesk.tickets)] },
};

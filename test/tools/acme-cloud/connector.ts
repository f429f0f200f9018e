import { type Connector, type FamilyStream, helpdesk, type SourceStream } from "@portage/connector-kit";
import { signInConnector } from "../../support/authorization-server.ts";

const counted = (stream: FamilyStream): SourceStream => ({
  stream,
  delta: true,
  readPage: async () => ({ records: [], next: null }),
  readByIds: async () => [],
  count: async ({ http }) => ({
    value: (await http.send({ url: `rows/${stream.name}` })).json<{ total: number }>().total,
    exact: true,
  }),
});

/** A tool with a sign-in page of its own, for PORTAGE_CONNECTORS: it can be connected and counted. */
export const connector = {
  ...(signInConnector() as never as Connector),
  source: { helpdesk: [counted(helpdesk.contacts), counted(helpdesk.tickets)] },
};

import { type Connector, type FamilyStream, helpdesk, type SourceStream } from "@portage/connector-kit";
import { signInConnector } from "../../support/authorization-server.ts";

export const counted = (stream: FamilyStream): SourceStream => ({
  stream,
  delta: true,
  readPage: async () => ({ records: [], next: null }),
  readByIds: async () => [],
  count: async ({ http }) => ({
    value: (await http.send({ url: `rows/${stream.name}` })).json<{ total: number }>().total,
    exact: true,
  }),
});

/** A tool with its own sign-in page, for PORTAGE_CONNECTORS: it supports connecting and counting only. */
export const connector = {
  ...(signInConnector() as never as Connector),
  source: { helpdesk: [counted(helpdesk.contacts), counted(helpdesk.tickets)] },
};

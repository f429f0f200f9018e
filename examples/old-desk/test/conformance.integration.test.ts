import { testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, describe, test } from "vitest";
import { createOldDesk } from "../src/app.ts";
import { atticDesk } from "../src/connector.ts";
import { seededStore } from "../src/data/seed.ts";
import type { TableName } from "../src/tables.ts";

const transport = createPlainTransport();
const key = "a-key-of-the-old-desk";
const store = seededStore();
const app = createOldDesk({ store, key });
afterAll(async () => {
  await app.close();
  await transport.close();
});

const tables: Readonly<Record<string, TableName>> = {
  users: "agents",
  organizations: "companies",
  contacts: "customers",
  groups: "teams",
  comments: "messages",
  attachments: "files",
  macros: "snippets",
  ticketRelations: "links",
  timeEntries: "work",
  articleCategories: "shelves",
  articleTranslations: "translations",
};

testConformance("Attic Desk", { describe, test }, async () => ({
  connector: atticDesk(),
  settings: { instanceUrl: await app.listen({ host: "127.0.0.1", port: 0 }), token: key },
  family: "helpdesk",
  transport,
  retry: { firstDelayMs: 5 },
  pageSize: 5,
  disturb: async (stream, { update, remove }) => {
    const table = tables[stream] ?? (stream as TableName);
    for (const id of update) store.change(table, Number(id), {});
    for (const id of remove) store.remove(table, Number(id));
  },
}));

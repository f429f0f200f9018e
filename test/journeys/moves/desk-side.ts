import type { RunningDesk } from "../../../examples/partner-app/test/running-desk.ts";
import type { DumpedRow } from "./dump.ts";
import type { DestinationSide } from "./side.ts";

const streams = [
  "users",
  "contacts",
  "organizations",
  "groups",
  "tickets",
  "comments",
  "articles",
  "attachments",
];

/** Signatures that were used, so that no call is taken twice; ids, which are never used again. */
const left = new Set(["seen_calls", "sqlite_sequence"]);

export const deskDestination = (desk: RunningDesk, token: string): DestinationSide => {
  const rows = (sql: string) => desk.store.database.prepare(sql).all() as DumpedRow[];
  const pages = ["", "people", "contacts", "articles", "mail"];
  return {
    tool: "destination-protocol",
    host: new URL(desk.url).host,
    settings: { instanceUrl: desk.url, token },
    counts: async () =>
      Object.fromEntries(
        streams.map((name) => [name, Number(rows(`select count(*) as n from ${name}`)[0]?.["n"])]),
      ),
    async dump() {
      const dump: Record<string, readonly DumpedRow[]> = {};
      for (const { name } of rows("select name from sqlite_master where type = 'table'") as {
        name: string;
      }[])
        if (!left.has(name)) dump[name] = rows(`select * from ${name}`);
      for (const page of pages)
        dump[`GET /${page}`] = [{ html: await (await fetch(`${desk.pages}/${page}`)).text() }];
      return dump;
    },
    async edit(subject) {
      const id = rows("select id, subject from tickets").find((row) => row["subject"] === subject)?.["id"];
      if (id === undefined) throw new Error(`No copy “${subject}”.`);
      const edited = "A person's own words";
      const set = (words: string) =>
        desk.store.database.prepare("update tickets set subject = ? where id = ?").run(words, Number(id));
      set(edited);
      return {
        stays: async () =>
          rows(`select subject from tickets where id = ${Number(id)}`)[0]?.["subject"] === edited,
        putBack: async () => void set(subject),
      };
    },
  };
};

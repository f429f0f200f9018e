import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Store } from "./store.ts";
import { type PersonRef, type TableName, tableNames, ticketFields } from "./tables.ts";

const maxRows = 50;

type Query = { Querystring: Readonly<Record<string, string | undefined>> };
type Named = { Params: { table: string } };

const sameText = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const isTable = (name: string): name is TableName => (tableNames as readonly string[]).includes(name);

/** People come with their names, as in most tools. */
const withNames = (store: Store, row: object): object => {
  const named = (person: PersonRef) =>
    "table" in person ? { ...person, name: store.get(person.table, person.id)?.name ?? null } : person;
  return {
    ...row,
    ...("author" in row && { author: named(row.author as PersonRef) }),
    ...("customerId" in row && {
      customerName: store.get("customers", Number(row.customerId))?.name ?? null,
    }),
    ...("agentId" in row && { agentName: store.get("agents", Number(row.agentId))?.name ?? null }),
  };
};

const numbersIn = (text: string | undefined): ReadonlySet<number> | null =>
  text === undefined ? null : new Set(text.split(",").map(Number));

/** The API of the old help desk: every table is a list by id, in pages. */
export const apiRoutes =
  ({ store, key }: { readonly store: Store; readonly key: string }) =>
  async (app: FastifyInstance) => {
    app.addHook("onRequest", async (request, reply) => {
      const shown = request.headers["x-attic-key"];
      if (typeof shown !== "string" || !sameText(shown, key))
        return reply.code(401).send({ error: "The key is wrong. It is on the page Settings." });
    });

    app.get("/me", () => ({ user: "Robin Owner", company: "Acme Lamps" }));
    app.get("/fields", () => ticketFields);

    app.get<Named & Query>("/:table", (request, reply) => {
      const { table } = request.params;
      if (!isTable(table)) return reply.code(404).send({ error: "There is no such list." });
      const { after = "0", limit = String(maxRows), since, ids, of, in: within } = request.query;
      const wanted = numbersIn(ids);
      const parents = numbersIn(of);
      const parentOf = (row: object): number | undefined => {
        if ("ticketId" in row) return row.ticketId as number;
        if ("articleId" in row) return row.articleId as number;
        if (!("parent" in row)) return undefined;
        const { table: name, id } = row.parent as { table: string; id: number };
        return name === within ? id : undefined;
      };
      const rows = store
        .all(table)
        .filter(
          (row) =>
            row.id > Number(after) &&
            (since === undefined || row.changed >= since) &&
            (!wanted || wanted.has(row.id)) &&
            (!parents || parents.has(parentOf(row) ?? 0)),
        );
      const size = Math.min(Math.max(Number(limit) || maxRows, 1), maxRows);
      const shown = wanted || parents ? rows : rows.slice(0, size);
      return { rows: shown.map((row) => withNames(store, row)), total: rows.length };
    });

    app.get<{ Params: { id: string } }>("/files/:id/content", (request, reply) => {
      const content = store.contentOf(Number(request.params.id));
      if (!content) return reply.code(404).send({ error: "There is no such file." });
      return reply.type("application/octet-stream").send(content);
    });
  };

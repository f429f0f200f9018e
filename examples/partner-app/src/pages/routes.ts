import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mode } from "@portage/sdk";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Store } from "../store/store.ts";
import type { StreamName } from "../store/store-tables.ts";
import { articlePage, articlesPage } from "./articles.ts";
import { disposition, shownTypes } from "./attachments.ts";
import { type Html, html } from "./html.ts";
import { layout, type PageNeeds } from "./layout.ts";
import { contactPage, contactsPage, mailPage, peoplePage } from "./people.ts";
import { addReply } from "./reply.ts";
import { ticketPage } from "./ticket.ts";
import { statusKinds, ticketListPage } from "./ticket-list.ts";

const style = readFileSync(join(import.meta.dirname, "style.css"), "utf8");

/** No scripts, no foreign resources, no framing. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const wholeNumber = (value: unknown): number => (/^\d{1,15}$/.test(String(value)) ? Number(value) : 0);
const given = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

export const pageRoutes =
  (needs: { store: Store; accountName: string; now: () => number; hasMoves: boolean; mode: Mode }) =>
  async (app: FastifyInstance) => {
    const { store, accountName, now, hasMoves, mode } = needs;

    const show = (reply: FastifyReply, page: Pick<PageNeeds, "title" | "section">, content: Html) =>
      reply
        .type("text/html; charset=utf-8")
        .send(layout({ ...page, accountName, hasMoves, mode }, content).text);

    const missing = (reply: FastifyReply) => {
      reply.code(404);
      return show(
        reply,
        { title: "Not found", section: "/" },
        html`<h1>Not found</h1><p>There is nothing at this address. <a href="/">See all tickets</a></p>`,
      );
    };

    app.addHook("onRequest", async (_, reply) => {
      reply.headers({
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cache-control": "no-store",
      });
    });
    app.setNotFoundHandler((_, reply) => missing(reply));
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: 200_000 },
      (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );

    app.get("/style.css", (_, reply) => reply.type("text/css; charset=utf-8").send(style));

    app.get<{ Querystring: Record<string, unknown> }>("/", (request, reply) => {
      const { q, status, before } = request.query;
      const kind = given(status);
      return show(
        reply,
        { title: "Tickets", section: "/" },
        ticketListPage(store, {
          before: wholeNumber(before) || null,
          statusKind: kind !== null && kind in statusKinds ? kind : null,
          text: given(q)?.slice(0, 200) ?? null,
          requester: null,
        }),
      );
    });

    const list = (
      section: "/contacts" | "/people" | "/articles",
      title: string,
      page: (store: Store, after: number) => Html,
    ) =>
      app.get<{ Querystring: Record<string, unknown> }>(section, (request, reply) =>
        show(reply, { title, section }, page(store, wholeNumber(request.query.after))),
      );
    list("/contacts", "Contacts", contactsPage);
    list("/people", "People", peoplePage);
    list("/articles", "Articles", articlesPage);
    app.get("/mail", (_, reply) => show(reply, { title: "Mail", section: "/mail" }, mailPage(store)));

    const one = (
      stream: StreamName,
      section: PageNeeds["section"],
      page: (store: Store, row: NonNullable<ReturnType<Store["get"]>>) => Html,
    ) =>
      app.get<{ Params: { id: string } }>(`/${stream}/:id`, (request, reply) => {
        const row = store.get(stream, request.params.id);
        if (!row) return missing(reply);
        const title = String(row.values.subject ?? row.values.title ?? row.values.name);
        return show(reply, { title, section }, page(store, row));
      });
    one("tickets", "/", ticketPage);
    one("contacts", "/contacts", contactPage);
    one("articles", "/articles", articlePage);

    app.get<{ Params: { id: string } }>("/attachments/:id", (request, reply) => {
      const row = store.get("attachments", request.params.id);
      if (!row || row.values.path === "") return missing(reply);
      return reply
        .type("application/octet-stream")
        .header("content-length", String(row.values.size))
        .header("content-disposition", disposition(String(row.values.fileName)))
        .send(createReadStream(join(store.folder, "files", String(row.values.path))));
    });
    app.get<{ Params: { id: string } }>("/attachments/:id/image", (request, reply) => {
      const row = store.get("attachments", request.params.id);
      const type = String(row?.values.contentType);
      if (!row || row.values.path === "" || !shownTypes.has(type)) return missing(reply);
      return reply.type(type).send(createReadStream(join(store.folder, "files", String(row.values.path))));
    });

    app.post<{ Params: { id: string }; Body: Record<string, string> }>(
      "/tickets/:id/replies",
      (request, reply) => {
        const row = store.get("tickets", request.params.id);
        const { body = "", internal, status = "" } = request.body ?? {};
        // A form on another site can post here, but can't forge this header.
        const site = request.headers["sec-fetch-site"];
        if (site !== "same-origin" || !row || body.trim() === "" || body.length > 20_000)
          return missing(reply);
        addReply(store, row, { body, internal: internal === "yes", status }, new Date(now()).toISOString());
        return reply.redirect(`/tickets/${row.id}`, 303);
      },
    );
  };

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { escapeHtml, type Html, html } from "../../../partner-app/src/pages/html.ts";
import type { Store } from "../store.ts";
import { type State, states } from "../tables.ts";
import * as pages from "./pages.ts";

const style = readFileSync(join(import.meta.dirname, "style.css"), "utf8");

/** No scripts, no foreign resources, no framing. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Images may be shown; everything else is only ever saved. */
const shownTypes = new Set(["image/png"]);

type Params = { Params: { id: string } };
type Form = { Body: Readonly<Record<string, string>> | null };

/** A form on another site can post here, but can't forge this header. */
const isOwnForm = ({ headers }: FastifyRequest) => headers["sec-fetch-site"] === "same-origin";

const paragraphs = (text: string) =>
  text
    .split(/\r?\n\r?\n/)
    .map((each) => `<p>${escapeHtml(each).replaceAll(/\r?\n/g, "<br>")}</p>`)
    .join("");

export const pageRoutes =
  ({ store, key }: { readonly store: Store; readonly key: string }) =>
  async (app: FastifyInstance) => {
    const show = (reply: FastifyReply, title: string, section: pages.Section, content: Html) =>
      reply.type("text/html; charset=utf-8").send(pages.layout(title, section, content).text);
    const missing = (reply: FastifyReply) =>
      show(reply.code(404), "Not found", "/", html`<h1>Not found</h1><p><a href="/">All tickets</a></p>`);

    app.addHook("onRequest", async (_, reply) => {
      reply.headers({
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
    });
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: 50_000 },
      (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    app.setNotFoundHandler((_, reply) => missing(reply));

    app.get("/style.css", (_, reply) => reply.type("text/css; charset=utf-8").send(style));
    app.get<{ Querystring: { page?: string } }>("/", (request, reply) =>
      show(
        reply,
        "Tickets",
        "/",
        pages.ticketsPage(store, Math.max(0, Math.trunc(Number(request.query.page) || 0))),
      ),
    );
    app.get<Params>("/tickets/:id", (request, reply) => {
      const ticket = store.get("tickets", Number(request.params.id));
      return ticket ? show(reply, ticket.subject, "/", pages.ticketPage(store, ticket)) : missing(reply);
    });
    app.get("/new", (_, reply) => show(reply, "New ticket", "/", pages.newTicketPage(store)));
    app.get("/customers", (_, reply) => show(reply, "Customers", "/customers", pages.customersPage(store)));
    app.get<Params>("/customers/:id", (request, reply) => {
      const customer = store.get("customers", Number(request.params.id));
      return customer
        ? show(reply, customer.name, "/customers", pages.customerPage(store, customer))
        : missing(reply);
    });
    app.get("/agents", (_, reply) => show(reply, "Agents", "/agents", pages.agentsPage(store)));
    app.get("/articles", (_, reply) => show(reply, "Help pages", "/articles", pages.articlesPage(store)));
    app.get<Params>("/articles/:id", (request, reply) => {
      const article = store.get("articles", Number(request.params.id));
      return article ? show(reply, article.title, "/articles", pages.articlePage(article)) : missing(reply);
    });
    app.get("/settings", (_, reply) => show(reply, "Settings", "/settings", pages.settingsPage(key)));
    app.get<Params>("/files/:id", (request, reply) => {
      const file = store.get("files", Number(request.params.id));
      if (!file) return missing(reply);
      return reply
        .type(shownTypes.has(file.type) ? file.type : "application/octet-stream")
        .send(store.contentOf(file.id) ?? Buffer.alloc(0));
    });

    app.post<Params & Form>("/tickets/:id/reply", (request, reply) => {
      const ticket = store.get("tickets", Number(request.params.id));
      const { text = "", state = "", internal } = request.body ?? {};
      if (!isOwnForm(request) || !ticket || text.trim() === "") return missing(reply);
      store.add("messages", {
        ticketId: ticket.id,
        author: { table: "agents", id: 1 },
        internal: internal === "yes",
        via: null,
        to: [],
        copies: [],
        text: paragraphs(text),
        made: new Date().toISOString(),
      });
      const next = (states as readonly string[]).includes(state) ? (state as State) : ticket.state;
      store.change("tickets", ticket.id, { state: next });
      return reply.redirect(`/tickets/${ticket.id}`, 303);
    });
    app.post<Form>("/new", (request, reply) => {
      const { subject = "", text = "", customer = "" } = request.body ?? {};
      const asked = store.get("customers", Number(customer));
      if (!isOwnForm(request) || !asked || subject.trim() === "" || text.trim() === "") return missing(reply);
      const { id } = store.add("tickets", {
        subject: subject.trim(),
        text: paragraphs(text),
        state: "New",
        priority: "Normal",
        kind: "Question",
        author: { table: "customers", id: asked.id },
        customerId: asked.id,
        agentId: null,
        teamId: null,
        companyId: asked.companyId,
        channel: "web",
        number: `AD-${2000 + store.all("tickets").length}`,
        form: "New ticket",
        shop: "Acme Lamps",
        bin: null,
        mergedInto: null,
        copies: [],
        tags: [],
        due: null,
        done: null,
        fields: {},
        made: new Date().toISOString(),
      });
      return reply.redirect(`/tickets/${id}`, 303);
    });
  };

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PortageError } from "@portage/sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../pages/html.ts";
import { layout } from "../pages/layout.ts";
import { findMove, listMoves, type Move, setDecision } from "../store/store-moves.ts";
import { framedPage, movePage, movesPage } from "./move-pages.ts";
import type { MovingNeeds } from "./moving.ts";
import { startMove } from "./start-move.ts";

const script = readFileSync(join(import.meta.dirname, "move.js"), "utf8");

/** The desk's policy, with its own script and event stream. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The one page that frames another site names its origin. */
const framingPolicy = (origin: string) => `${policy}; frame-src ${origin}`;

const formKeyPattern = /^[0-9a-f-]{36}$/;
const heartbeatMs = 20_000;

type Params = { Params: { id: string } };
type Form = { Body: Readonly<Record<string, string>> | null };

/** A form on another site can post here, but can't forge this header. */
const isOwnForm = ({ headers }: FastifyRequest) => headers["sec-fetch-site"] === "same-origin";

export const moveRoutes = (needs: MovingNeeds) => async (app: FastifyInstance) => {
  const { portage, store, accountName, changes, framed, mode } = needs;

  app.addHook("onRequest", async (_, reply) => {
    reply.headers({
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
    });
  });
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 10_000 },
    (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );

  const show = (reply: FastifyReply, title: string, content: Html) =>
    reply
      .type("text/html; charset=utf-8")
      .send(layout({ title, section: "/moves", accountName, hasMoves: true, mode }, content).text);
  const toolsOrNone = async () =>
    portage.tools.list({ family: "helpdesk" }).catch((error: unknown) => {
      if (error instanceof PortageError) return [];
      throw error;
    });
  const showMoves = async (reply: FastifyReply, formKey: string, problems: readonly string[] = []) =>
    show(reply, "Move data", movesPage(await toolsOrNone(), listMoves(store.database), formKey, problems));

  app.get("/move.js", (_, reply) => reply.type("text/javascript; charset=utf-8").send(script));
  app.get("/moves", (_, reply) => showMoves(reply, randomUUID()));

  app.post<Form>("/moves", async (request, reply) => {
    const { tool = "", key = "" } = request.body ?? {};
    if (!isOwnForm(request) || tool === "" || tool.length > 100 || !formKeyPattern.test(key))
      return reply.callNotFound();
    const started = await startMove(needs, { formKey: key, sourceTool: tool });
    // Redirects to our own page first: the policy forbids forms that lead to another site.
    if (started.kind === "started") return reply.redirect(`/moves/${started.move.id}`, 303);
    if (started.kind === "unavailable")
      // Sending the same form again returns the same import if the first call did create it.
      return showMoves(reply.code(503), key, ["Portage did not answer. Please press the button again."]);
    return showMoves(reply.code(422), randomUUID(), started.reasons);
  });

  app.get<Params>("/moves/:id", (request, reply) => {
    const move = findMove(store.database, request.params.id);
    return move ? show(reply, `Move ${move.id}`, movePage(move, framed !== undefined)) : reply.callNotFound();
  });

  app.get<Params>("/moves/:id/portage", (request, reply) => {
    const move = findMove(store.database, request.params.id);
    if (!framed || !move?.redirectUrl || move.closed) return reply.callNotFound();
    reply.header("content-security-policy", framingPolicy(framed));
    return show(reply, `Move ${move.id}`, framedPage(move, move.redirectUrl));
  });

  app.get<Params>("/moves/:id/changes", (request, reply) => {
    const move = findMove(store.database, request.params.id);
    if (!move) return reply.callNotFound();
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    raw.write(":\n\n");
    const stop = changes.listen(move.id, () => void raw.write("data: changed\n\n"));
    const beat = setInterval(() => void raw.write(":\n\n"), heartbeatMs);
    raw.on("close", () => {
      clearInterval(beat);
      stop();
    });
    return reply;
  });

  /** Runs an action on the import of a move and shows the result or the failure on its page. */
  const act = (
    path: string,
    work: (move: Move, importId: string, form: Readonly<Record<string, string>>) => Promise<void>,
  ) =>
    app.post<Params & Form>(`/moves/:id/${path}`, async (request, reply) => {
      const move = findMove(store.database, request.params.id);
      if (!isOwnForm(request) || !move?.importId) return reply.callNotFound();
      try {
        await work(move, move.importId, request.body ?? {});
      } catch (error) {
        if (!(error instanceof PortageError)) throw error;
        return showMoves(reply.code(error.code === "validation_failed" ? 422 : 503), randomUUID(), [
          error.message,
        ]);
      }
      changes.tell(move.id);
      return reply.redirect(`/moves/${move.id}`, 303);
    });
  act("decision", async (move, importId, { decision }) => {
    if (decision === "accept") await portage.imports.acceptSponsorship(importId);
    else await portage.imports.rejectSponsorship(importId);
    setDecision(store.database, move.id, decision === "accept" ? "accepted" : "rejected");
  });
  act("cancel", (_, importId) => portage.imports.cancel(importId));
};

import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type OidcAccount,
  type OidcAttempt,
  type OidcClient,
  openOidcAccount,
} from "../../features/staff/index.ts";
import { inOneTransaction } from "../../platform/one-transaction.ts";
import { SealError } from "../../platform/seal.ts";
import { Secret } from "../../platform/secret.ts";
import type { Answer } from "../answer.ts";
import type { Mounted } from "../server.ts";
import { consoleCookie, sessionCookie } from "./console-session.ts";
import { securityHeaders } from "./mount.ts";
import { noteFailedSignIn, openConsoleSession, type SignInRoutesNeeds } from "./sign-in-routes.ts";

export const oidcStart = "/console/oidc/start";
export const oidcCallback = "/console/oidc/callback";

/** How long the person may take at the provider. */
const attemptSeconds = 600;
const sealedAs = "staff-oidc-attempt";

interface KeptAttempt extends OidcAttempt {
  /** The page of the console that the person wanted. */
  readonly to: string;
  readonly until: number;
}

/** Codes that the console's sign-in page explains. */
type Problem = "oidc_refused" | "oidc_no_role" | "oidc_failed" | "oidc_disabled";

/** A page of the console: never another site's. */
const consolePage = (to: string | null, operatorUrl: string): string => {
  const url = URL.parse(to ?? "", operatorUrl);
  const isOurs = url?.origin === new URL(operatorUrl).origin && /^\/console(\/|$)/.test(url.pathname);
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : "/console";
};

const redirect = (location: string): Answer => ({ status: 302, headers: { location } });

const problems = {
  no_role: "oidc_no_role",
  disabled: "oidc_disabled",
  email_taken: "oidc_failed",
} as const satisfies Record<Exclude<OidcAccount["kind"], "signed_in">, Problem>;

/** Sends a browser to the operator's identity provider, and takes it back. */
export const oidcRoutes = (client: OidcClient, needs: SignInRoutesNeeds): readonly Mounted[] => {
  const { db, sealer, log, guard, operatorUrl } = needs;
  const attemptCookie = consoleCookie(operatorUrl, "portage-oidc");
  const session = sessionCookie(operatorUrl);

  const seal = (attempt: KeptAttempt) =>
    new Secret(sealer.sealAlone(sealedAs, new Secret(JSON.stringify(attempt))).toString("base64url"));

  /** What this browser kept; undefined: nothing that we sealed, or too long ago. */
  const open = (request: FastifyRequest): KeptAttempt | undefined => {
    const value = attemptCookie.read(request.headers.cookie);
    if (!value) return undefined;
    try {
      const opened = sealer.openAlone(sealedAs, Buffer.from(value, "base64url"));
      const kept = JSON.parse(opened.reveal()) as KeptAttempt;
      return kept.until > Date.now() ? kept : undefined;
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  };

  const start = async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    const to = consolePage(new URL(request.url, operatorUrl).searchParams.get("to"), operatorUrl);
    const begun = await client.begin().catch((error: unknown) => {
      log.error({ request_id: request.id, err: error }, "identity provider unreachable");
      return null;
    });
    if (!begun) return redirect("/console/sign-in?problem=oidc_failed");
    const kept = seal({ ...begun.attempt, to, until: Date.now() + attemptSeconds * 1_000 });
    void reply.header("set-cookie", attemptCookie.write(kept, attemptSeconds));
    return redirect(begun.url.href);
  };

  const callback = async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    guard.admit(request.ip, "");
    // One attempt, one return.
    void reply.header("set-cookie", attemptCookie.write(null, 0));
    const refuse = async (
      problem: Problem,
      { person = null, ...what }: { readonly person?: { readonly id: string } | null; readonly why: string },
    ) => {
      await noteFailedSignIn(db, request, {
        person,
        outcome: problem,
        what: { signed_in_by: "oidc", ...what },
      });
      guard.failed(request.ip);
      return redirect(`/console/sign-in?problem=${problem}`);
    };
    const kept = open(request);
    if (!kept) return refuse("oidc_failed", { why: "no attempt of this browser" });
    const returned = await client.finish(new URL(request.url, operatorUrl).searchParams, kept);
    if (returned.kind === "refused") return refuse("oidc_refused", { why: "access_denied" });
    if (returned.kind === "failed") return refuse("oidc_failed", returned);
    const { identity } = returned;
    const done = await inOneTransaction(db, async (within) => {
      const account = await openOidcAccount(within, identity);
      if (account.kind !== "signed_in") return account;
      const { person, before } = account;
      const value = await openConsoleSession(within, request, { person, signedInBy: "oidc", log, before });
      return { ...account, value };
    });
    if (done.kind !== "signed_in")
      return refuse(problems[done.kind], { person: done.person, why: `${done.kind} ${identity.subject}` });
    void reply.header("set-cookie", session.set(done.value)["set-cookie"]);
    return redirect(kept.to);
  };

  const mounted = (path: string, answer: Mounted["answer"]): Mounted => ({
    method: "GET",
    path,
    answer: (request, reply) => {
      reply.headers(securityHeaders);
      return answer(request, reply);
    },
  });
  return [mounted(oidcStart, start), mounted(oidcCallback, callback)];
};

import type { IncomingHttpHeaders } from "node:http";
import type { SpecCheck } from "../vendors/kit/spec-check.ts";
import { type Account, Refused, type Session, type SessionOrder } from "./account.ts";
import { readForm } from "./form.ts";
import { createIdempotency, type Said } from "./idempotency.ts";
import type { Notices } from "./notices.ts";
import {
  chargeObject,
  eventObject,
  intentObject,
  listObject,
  disputeObject,
  refundObject,
  sessionObject,
} from "./represent.ts";

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

interface Needs {
  readonly account: Account;
  readonly notices: Notices;
  readonly check: SpecCheck;
  readonly secretKey: string;
  readonly pageUrl: (session: Session) => string;
  /** The initial status of a refund. */
  readonly newRefunds: () => "succeeded" | "pending" | "failed";
}

interface Found {
  readonly operation: string;
  /** The answer is a list. */
  readonly list?: boolean;
  /** The parameters, for what the vendor's description leaves out: there the types of the vendor's SDK bind the double. */
  readonly parameters?: readonly string[];
  readonly act: (fields: Record<string, unknown>, id: string) => object | readonly object[];
}

const missing = (what: string) =>
  new Refused(`No such ${what}`, "resource_missing", "invalid_request_error", 404);

const said = (error: Refused): Said => ({
  status: error.status,
  body: {
    error: { type: error.type, ...(error.code !== null && { code: error.code }), message: error.message },
  },
});

const requestParts = ({ found, id }: { found: Found; id: string }, fields: object) => {
  const name = /\{([a-z]+)\}/.exec(found.operation)?.[1];
  const path = name === undefined ? {} : { [name]: id };
  return found.operation.startsWith("POST")
    ? { path, body: fields, mediaType: "application/x-www-form-urlencoded" }
    : { path, query: fields };
};

/** The vendor's API on top of the account: only documented operations, in their documented format. */
export const createStripeApi = ({ account, notices, check, secretKey, pageUrl, newRefunds }: Needs) => {
  const { sessions, intents, refunds, disputes } = account;
  const idempotency = createIdempotency();
  const show = (session: Session) => sessionObject(session, pageUrl(session));
  const sessionOf = (id: string) => {
    const session = sessions.get(id);
    if (!session) throw missing("checkout.session");
    return session;
  };

  const operations: readonly Found[] = [
    {
      operation: "POST /v1/checkout/sessions",
      act: (fields) => show(account.openSession(fields as unknown as SessionOrder)),
    },
    {
      operation: "GET /v1/checkout/sessions",
      list: true,
      act: ({ payment_intent: intent }) =>
        [...sessions.values()]
          .filter(({ paymentIntent }) => intent === undefined || paymentIntent === intent)
          .map(show),
    },
    {
      operation: "GET /v1/checkout/sessions/{session}",
      act: (_, id) => show(sessionOf(id)),
    },
    {
      operation: "POST /v1/checkout/sessions/{session}/expire",
      act: (_, id) => {
        const session = sessionOf(id);
        if (session.status !== "open")
          throw new Refused(`Only open Checkout Sessions can be expired: this one is ${session.status}.`);
        session.status = "expired";
        notices.happened("checkout.session.expired", show(session));
        return show(session);
      },
    },
    {
      operation: "GET /v1/payment_intents/{intent}",
      act: (_, id) => {
        const intent = intents.get(id);
        if (!intent) throw missing("payment_intent");
        return intentObject(intent);
      },
    },
    {
      operation: "POST /v1/refunds",
      act: (fields) => {
        const refund = account.refund(fields);
        refund.status = newRefunds();
        if (refund.status === "failed") refund.intent.refunded -= refund.amount;
        notices.happened("refund.created", refundObject(refund));
        if (refund.status !== "failed") notices.happened("charge.refunded", chargeObject(refund.intent));
        return refundObject(refund);
      },
    },
    {
      operation: "GET /v1/refunds",
      list: true,
      act: ({ payment_intent: intent }) =>
        // Newest first, as the vendor lists them.
        [...refunds.values()]
          .filter((refund) => refund.intent.id === intent)
          .map(refundObject)
          .toReversed(),
    },
    {
      operation: "GET /v1/refunds/{refund}",
      act: (_, id) => {
        const refund = refunds.get(id);
        if (!refund) throw missing("refund");
        return refundObject(refund);
      },
    },
    {
      operation: "GET /v1/disputes",
      list: true,
      parameters: ["payment_intent", "charge", "created", "limit", "starting_after", "ending_before"],
      act: ({ payment_intent: intent }) =>
        [...disputes.values()].filter((dispute) => dispute.intent.id === intent).map(disputeObject),
    },
    {
      operation: "GET /v1/events",
      list: true,
      act: () => notices.events.toReversed().map(eventObject),
    },
  ];

  const find = (method: string, path: string): { found: Found; id: string } | undefined => {
    for (const found of operations) {
      const [wanted, pattern = ""] = found.operation.split(" ");
      const match = new RegExp(`^${pattern.replace(/\{[a-z]+\}/, "([^/]+)")}$`).exec(path);
      if (wanted === method && match) return { found, id: match[1] ?? "" };
    }
    return undefined;
  };

  const answer = (found: Found, fields: Record<string, unknown>, id: string, path: string): Said => {
    const made = found.act(fields, id);
    const body = found.list ? listObject(path, made as readonly { id: string }[], fields) : made;
    check.answer(found.operation, 200, body);
    return { status: 200, body };
  };

  const call = async ({ method, path, query, body, headers }: ApiCall): Promise<Said> => {
    try {
      if (headers.authorization !== `Bearer ${secretKey}`)
        throw new Refused("Invalid API Key provided.", null, "invalid_request_error", 401);
      const here = find(method, path);
      if (!here) throw new Refused(`Unrecognized request URL (${method}: ${path}).`, null, undefined, 404);
      const fields: Record<string, unknown> = readForm(method === "POST" ? body : query);
      const { operation, parameters } = here.found;
      const unknown = parameters && Object.keys(fields).find((name) => !parameters.includes(name));
      const wrong = parameters ? (unknown ?? null) : check.request(operation, requestParts(here, fields));
      if (wrong !== null) throw new Refused(wrong, "parameter_unknown");
      if (method !== "POST") return answer(here.found, fields, here.id, path);
      const key = headers["idempotency-key"];
      return await idempotency.once(key?.toString(), `${path}?${body}`, async () => {
        try {
          return { said: answer(here.found, fields, here.id, path), begun: true };
        } catch (error) {
          // The idempotency store keeps no answer to an invalid request.
          if (error instanceof Refused) return { said: said(error), begun: false };
          throw error;
        }
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const problem = said(error);
      check.object("error", problem.body);
      return problem;
    }
  };
  return { call, show, forgetKeys: idempotency.forget };
};

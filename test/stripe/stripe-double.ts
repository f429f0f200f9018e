import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAccount, type PaymentIntent, type Session } from "./account.ts";
import { checkoutPage } from "./checkout-page.ts";
import { createNotices, type Notices } from "./notices.ts";
import { chargeObject, disputeObject, refundObject } from "./represent.ts";
import { createStripeCheck } from "./spec.ts";
import { type ApiCall, createStripeApi } from "./stripe-api.ts";

/**
 * The fault of the next calls of an operation: an error, or the call takes effect and the answer is lost; a function
 * runs in between.
 */
export type Fault = { readonly status: number } | "lost answer" | (() => Promise<void>);

export interface StripeDouble {
  /** http://127.0.0.1:PORT, for STRIPE_API_URL. */
  readonly url: string;
  readonly secretKey: string;
  readonly notices: Notices;
  readonly sessions: ReadonlyMap<string, Session>;
  readonly intents: ReadonlyMap<string, PaymentIntent>;
  /** Every API call so far. */
  readonly calls: readonly ApiCall[];
  /** Pays as a customer on the page. */
  pay(sessionId: string, how?: "at once" | "in some days"): void;
  /** Completes or fails a payment that takes days. */
  settleLater(sessionId: string, how: "came" | "failed"): void;
  /** Expires the session. */
  expire(sessionId: string): void;
  /** Sets the status of new refunds. */
  newRefundsAre(status: "succeeded" | "pending" | "failed"): void;
  /** Ends all pending refunds. */
  settleRefunds(status: "succeeded" | "failed"): void;
  /** Refunds as the operator does on the vendor's dashboard. */
  refundByHand(sessionId: string, amount?: number): void;
  /** The customer's bank returns a refund that had succeeded: the newest of this amount. */
  returnRefund(sessionId: string, amount: number): void;
  /** A customer disputes a payment at their bank. Returns the dispute's id. */
  dispute(sessionId: string, how: "inquiry" | "chargeback"): string;
  /** The bank decides, or an inquiry becomes a chargeback or ends. */
  decideDispute(id: string, how: "chargeback" | "won" | "lost" | "withdrawn"): void;
  /** Forgets idempotency keys, as the vendor does after a day. */
  forgetKeys(): void;
  fault(operation: string, fault: Fault, times?: number): void;
  /** Runs after the payment and before any notice. */
  afterPayment(hook: () => void): void;
  close(): Promise<void>;
}

const secretKey = "sk_test_double_of_acme";

const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

/** A double of Stripe on loopback that keeps state and checks itself against the vendor's description. */
export const startStripeDouble = async (): Promise<StripeDouble> => {
  const check = createStripeCheck();
  const account = createAccount();
  const notices = createNotices(check.object);
  const calls: ApiCall[] = [];
  const faults: { operation: string; fault: Fault }[] = [];
  let newRefunds: "succeeded" | "pending" | "failed" = "succeeded";
  let afterPayment = () => {};
  let url = "";
  const api = createStripeApi({
    account,
    notices,
    check,
    secretKey,
    pageUrl: ({ id }) => `${url}/c/pay/${id}`,
    newRefunds: () => newRefunds,
  });
  const sessionOf = (id: string) => {
    const session = account.sessions.get(id);
    if (!session) throw new Error(`No session ${id}.`);
    return session;
  };

  const pay: StripeDouble["pay"] = (id, how = "at once") => {
    const session = sessionOf(id);
    account.pay(session, how);
    afterPayment();
    notices.happened("checkout.session.completed", api.show(session));
  };

  const page = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const [id = "", action] = path.replace("/c/pay/", "").split("/");
    const session = sessionOf(id);
    const html = (text: string) =>
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
    if (request.method !== "POST") return html(checkoutPage(session));
    if (action === "decline" || session.status !== "open")
      return html(checkoutPage(session, "Your card was declined."));
    pay(id, action === "pay-later" ? "in some days" : "at once");
    // Stripe does not order the notice and the redirect; the double sends the notice first.
    await notices.quiet();
    const location = session.order.success_url.replace("{CHECKOUT_SESSION_ID}", id);
    return response.writeHead(303, { location }).end();
  };

  const takeFault = (operation: string): Fault | undefined => {
    const at = faults.findIndex((each) => operation.startsWith(each.operation));
    return at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const target = new URL(request.url ?? "", "http://stripe.test");
    if (target.pathname.startsWith("/c/pay/")) return page(request, response, target.pathname);
    // Browsers request it by themselves.
    if (target.pathname === "/favicon.ico") return response.writeHead(204).end();
    const call: ApiCall = {
      method: request.method ?? "",
      path: target.pathname,
      query: target.search.slice(1),
      body: await readAll(request),
      headers: request.headers,
    };
    calls.push(call);
    const fault = takeFault(`${call.method} ${call.path}`);
    if (typeof fault === "object")
      return response
        .writeHead(fault.status, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { type: "api_error", message: "The double injects this failure." } }));
    const { status, body, headers } = await api.call(call);
    if (typeof fault === "function") await fault();
    if (fault !== undefined) return request.socket.destroy();
    return response
      .writeHead(status, { "content-type": "application/json", "request-id": "req_double", ...headers })
      .end(JSON.stringify(body));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // A wrong answer of the double must fail the test, not cause a retry.
      console.error(error);
      response.writeHead(400).end(JSON.stringify({ error: { type: "api_error", message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    secretKey,
    notices,
    sessions: account.sessions,
    intents: account.intents,
    calls,
    pay,
    settleLater: (id, how) => {
      const session = sessionOf(id);
      const intent = account.intents.get(session.paymentIntent ?? "");
      if (intent?.status !== "processing") throw new Error("No payment is processing.");
      intent.status = how === "came" ? "succeeded" : "requires_payment_method";
      if (how === "came") session.paymentStatus = "paid";
      const type = how === "came" ? "async_payment_succeeded" : "async_payment_failed";
      notices.happened(`checkout.session.${type}`, api.show(session));
    },
    expire: (id) => {
      const session = sessionOf(id);
      session.status = "expired";
      notices.happened("checkout.session.expired", api.show(session));
    },
    newRefundsAre: (status) => void (newRefunds = status),
    settleRefunds: (status) => {
      for (const refund of account.refunds.values()) {
        if (refund.status !== "pending") continue;
        refund.status = status;
        if (status === "failed") refund.intent.refunded -= refund.amount;
        notices.happened(status === "failed" ? "refund.failed" : "refund.updated", refundObject(refund));
      }
    },
    refundByHand: (id, amount) => {
      const intent = account.intents.get(sessionOf(id).paymentIntent ?? "");
      if (!intent) throw new Error("Nothing was paid.");
      const wanted = { payment_intent: intent.id, ...(amount !== undefined && { amount }) };
      notices.happened("refund.created", refundObject(account.refund(wanted)));
      notices.happened("charge.refunded", chargeObject(intent));
    },
    returnRefund: (id, amount) => {
      const { paymentIntent } = sessionOf(id);
      const refund = [...account.refunds.values()].findLast(
        (each) => each.intent.id === paymentIntent && each.amount === amount && each.status === "succeeded",
      );
      if (!refund) throw new Error(`No refund of ${amount} has succeeded.`);
      refund.status = "failed";
      refund.intent.refunded -= amount;
      for (const type of ["charge.refund.updated", "refund.failed"])
        notices.happened(type, refundObject(refund));
    },
    dispute: (id, how) => {
      const intent = account.intents.get(sessionOf(id).paymentIntent ?? "");
      if (!intent) throw new Error("Nothing was paid.");
      const dispute = account.dispute(intent, how);
      notices.happened("charge.dispute.created", disputeObject(dispute));
      if (how === "chargeback") notices.happened("charge.dispute.funds_withdrawn", disputeObject(dispute));
      return dispute.id;
    },
    decideDispute: (id, how) => {
      const dispute = account.disputes.get(id);
      if (!dispute) throw new Error(`No dispute ${id}.`);
      const taken = dispute.moved.length > 0;
      if (how === "chargeback") {
        dispute.status = "needs_response";
        dispute.moved.push(-dispute.amount);
        notices.happened("charge.dispute.funds_withdrawn", disputeObject(dispute));
        return;
      }
      dispute.status = how === "withdrawn" ? "warning_closed" : how;
      if (how === "won" && taken) {
        dispute.moved.push(dispute.amount);
        notices.happened("charge.dispute.funds_reinstated", disputeObject(dispute));
      }
      notices.happened("charge.dispute.closed", disputeObject(dispute));
    },
    forgetKeys: api.forgetKeys,
    fault: (operation, fault, times = 1) => {
      for (let each = 0; each < times; each += 1) faults.push({ operation, fault });
    },
    afterPayment: (hook) => void (afterPayment = hook),
    close: async () => {
      await notices.quiet();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

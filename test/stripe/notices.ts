import { createHmac } from "node:crypto";
import { newVendorId, secondsNow, type StripeEvent } from "./account.ts";
import { eventObject } from "./represent.ts";

export interface Receiver {
  readonly url: string;
  readonly secret: string;
}

export interface DeliverOptions {
  /** The age of the signature. */
  readonly ageSeconds?: number;
  readonly secret?: string;
  /** Replaces the body; the signature matches the replacement. */
  readonly change?: (event: Record<string, unknown>) => object;
}

export const signatureOf = (body: string, secret: string, at: number = secondsNow()): string =>
  `t=${at},v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`;

/** All events, and their delivery to the receiver: automatic, or by the test at any time and in any order. */
export const createNotices = (check: (object: string, value: object) => void) => {
  const events: StripeEvent[] = [];
  let receiver: Receiver | null = null;
  let byItself = true;
  const underWay = new Set<Promise<unknown>>();

  const deliver = async (event: StripeEvent, options: DeliverOptions = {}): Promise<number> => {
    if (!receiver) throw new Error("There is no receiver.");
    const object = eventObject(event);
    check("event", object);
    const body = JSON.stringify(options.change?.(object as Record<string, unknown>) ?? object);
    const at = secondsNow() - (options.ageSeconds ?? 0);
    const answer = await fetch(receiver.url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": signatureOf(body, options.secret ?? receiver.secret, at),
      },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  return {
    events,
    deliver,
    /** Sets the receiver and whether delivery is automatic; `deliver` sends held events. */
    tell: (to: Receiver | null, when: "at once" | "held" = "at once") => {
      receiver = to;
      byItself = when === "at once";
    },
    happened: (type: string, object: object): StripeEvent => {
      const event = { id: newVendorId("evt"), type, createdAt: secondsNow(), object };
      events.push(event);
      if (receiver && byItself) {
        // The double does not retry a failed delivery; the vendor would retry for three days.
        const delivered = deliver(event).catch(() => {});
        underWay.add(delivered);
        void delivered.finally(() => underWay.delete(delivered));
      }
      return event;
    },
    quiet: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
};

export type Notices = ReturnType<typeof createNotices>;

import type { EventType } from "@portage/contract";

export const deliveryStates = ["waiting", "sending", "held", "delivered", "failed"] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** One scheduled attempt: a caller with another generation changes nothing. */
export interface DeliveryRef {
  readonly eventId: string;
  readonly generation: number;
}

export interface DeliveryToSend extends DeliveryRef {
  readonly delayMs: number;
}

/** One call to a receiver. */
export interface Attempt {
  readonly at: Date;
  /** null: no answer arrived. */
  readonly status: number | null;
  readonly durationMs: number;
  /** null: it was delivered. */
  readonly error: string | null;
  /** The first bytes of the answer, without the import's token. */
  readonly answer: string | null;
}

export interface Delivery {
  readonly eventId: string;
  readonly partnerId: string;
  /** null: the event is a test or belongs to a simulation. */
  readonly importId: string | null;
  readonly simulationId: string | null;
  readonly type: EventType;
  readonly state: DeliveryState;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

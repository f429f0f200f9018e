import type { EventType } from "@portage/contract";

export type DisabledBecause = "gone" | "no_success" | "operator";

/** A partner's webhook endpoint, without its secrets. */
export interface WebhookTarget {
  readonly partnerId: string;
  readonly url: string;
  /** null: every type. */
  readonly eventTypes: readonly EventType[] | null;
  readonly ordered: boolean;
  /** Also gets `import.progress`. */
  readonly progress: boolean;
  /** During a rotation: until when the old secret signs as well. */
  readonly oldSecretUntil: Date | null;
  /** The first failed attempt since the last success. */
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledBecause: DisabledBecause | null;
  readonly createdAt: Date;
}

export const disabledTexts: Readonly<Record<DisabledBecause, string>> = {
  gone: "it answered 410 Gone",
  no_success: "nothing reached it for five days",
  operator: "the operator disabled it",
};

/** Since when a target is disabled, and why; null: it is enabled. */
export const disabledText = ({
  disabledAt,
  disabledBecause,
}: Pick<WebhookTarget, "disabledAt" | "disabledBecause">): string | null =>
  disabledAt && disabledBecause
    ? `disabled since ${disabledAt.toISOString()}: ${disabledTexts[disabledBecause]}`
    : null;

/** A warning for the operator about a target; null: all is well. */
export const targetWarning = (target: WebhookTarget): string | null => {
  const { failingSince } = target;
  return (
    disabledText(target) ?? (failingSince && `nothing has reached it since ${failingSince.toISOString()}`)
  );
};

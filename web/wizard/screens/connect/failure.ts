import type { ConnectRefused, WizardRefusal } from "@portage/contract/wizard";
import type { FieldErrors, Problem } from "../../../client/problem.ts";

/** Why an attempt to connect a side failed. */
export interface Failure {
  /** Selects the explanation. */
  readonly kind:
    | WizardRefusal["code"]
    | ("insecure" | "refused_address" | "tls_failed" | "unresolvable")
    | ("late" | "typed" | "other" | "offline" | "unexpected");
  /** The tool's sign-in page refused access. */
  readonly denied: boolean;
  readonly refusal: WizardRefusal | null;
  /** Messages by setting name. */
  readonly errors: FieldErrors;
  /** The server's message about the whole form, where our catalogue has no text. */
  readonly message: string | null;
  readonly requestId: string | null;
  readonly at: Date;
}

const addressKinds = ["insecure", "refused_address", "tls_failed", "unresolvable"] as const;

const kindOf = (refusal: WizardRefusal): Failure["kind"] =>
  refusal.code === "wrong_address"
    ? (addressKinds.find((each) => refusal.detail.startsWith(each)) ?? refusal.code)
    : refusal.code;

const refusalIn = (body: unknown): WizardRefusal | null =>
  typeof body === "object" && body !== null && "refusal" in body ? (body as ConnectRefused).refusal : null;

/** Describes a failed attempt. Null: the session or import has ended, and the page shows that. */
export const failureOf = (problem: Problem, returned: boolean): Failure | null => {
  const none = { denied: false, refusal: null, errors: {}, message: null, requestId: null, at: new Date() };
  switch (problem.kind) {
    case "invalid": {
      const { base, ...errors } = problem.errors;
      const refusal = refusalIn(problem.body);
      if (refusal) {
        const denied = refusal.detail === "access_denied";
        return { ...none, kind: kindOf(refusal), denied, refusal, errors };
      }
      if (returned) return { ...none, kind: "late", errors };
      if (base?.[0] === undefined) return { ...none, kind: "typed", errors };
      return { ...none, kind: "other", errors, message: base[0] };
    }
    case "refused":
    case "forbidden":
      return { ...none, kind: "other", message: problem.message };
    case "offline":
      return { ...none, kind: "offline" };
    case "unexpected":
      return { ...none, kind: "unexpected", requestId: problem.requestId };
    case "expired":
    case "gone":
      return null;
  }
};

import { NotReadyError } from "../platform/not-ready-error.ts";
import { Problem, ok } from "./answer.ts";
import type { Mounted } from "./server.ts";

interface Needs {
  /** Throws if the database does not answer, or the process can't work with it. */
  readonly requireReady: () => Promise<unknown>;
  readonly isDraining: () => boolean;
}

/** /healthz: the process is alive. /readyz: it accepts requests. For load balancers, not in the partner's reference. */
export const healthRoutes = ({ requireReady, isDraining }: Needs): readonly Mounted[] => [
  { method: "GET", path: "/healthz", answer: async () => ok({ status: "ok" }) },
  {
    method: "GET",
    path: "/readyz",
    answer: async () => {
      if (isDraining())
        throw new Problem("unavailable", "This process is shutting down.", { "retry-after": "1" });
      try {
        await requireReady();
      } catch (error) {
        if (error instanceof NotReadyError)
          throw new Problem("unavailable", error.message, { "retry-after": "2" });
        throw error;
      }
      return ok({ status: "ok" });
    },
  },
];

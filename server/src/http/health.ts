import { StandbyError } from "../platform/database-hosts.ts";
import { Problem, ok } from "./answer.ts";
import type { Mounted } from "./server.ts";

interface Needs {
  /** Throws if the database does not answer, or accepts no writes. */
  readonly askDatabase: () => Promise<unknown>;
  readonly isDraining: () => boolean;
}

/** /healthz: the process is alive. /readyz: it accepts requests. For load balancers, not in the partner's reference. */
export const healthRoutes = ({ askDatabase, isDraining }: Needs): readonly Mounted[] => [
  { method: "GET", path: "/healthz", answer: async () => ok({ status: "ok" }) },
  {
    method: "GET",
    path: "/readyz",
    answer: async () => {
      if (isDraining())
        throw new Problem("unavailable", "This process is shutting down.", { "retry-after": "1" });
      try {
        await askDatabase();
      } catch (error) {
        if (error instanceof StandbyError)
          throw new Problem("unavailable", error.message, { "retry-after": "2" });
        throw error;
      }
      return ok({ status: "ok" });
    },
  },
];

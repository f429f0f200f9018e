import type { StandInReport } from "./suite.ts";

/** What a vendor's stand-in reports, of all that it offers. */
export const reportOf =
  (tool: {
    readonly held: StandInReport["held"];
    readonly breaches: { readonly all: StandInReport["breaches"] };
    readonly lies: StandInReport["lies"];
    readonly unvalidated: StandInReport["unvalidated"];
  }) =>
  (): StandInReport => ({
    held: tool.held,
    breaches: tool.breaches.all,
    lies: tool.lies,
    unvalidated: tool.unvalidated,
  });

import { startStandInProcess, type StandInProcess } from "../support/stand-in-process.ts";
import { standInPackages } from "../tools/stand-in-package/index.ts";
import type { StandInOptions } from "../tools/stand-in/options.ts";
import type { NewImportOptions, WizardFixture, WizardImportUnderTest } from "./wizard-fixture.ts";

/** An old tool and a new one that differ: in people, in fields, in options. */
export interface TwoTools {
  readonly source: StandInProcess;
  readonly destination: StandInProcess;
  prepare(url: string, afterwards: (undo: () => unknown) => void): Promise<Readonly<Record<string, string>>>;
  /** An import that is connected to both. */
  connected(fixture: WizardFixture, options?: NewImportOptions): Promise<WizardImportUnderTest>;
}

export const createTwoTools = (
  source: Partial<StandInOptions>,
  destination: Partial<StandInOptions>,
): TwoTools => {
  const started = {} as { source: StandInProcess; destination: StandInProcess };
  return {
    get source() {
      return started.source;
    },
    get destination() {
      return started.destination;
    },
    prepare: async (_url, afterwards) => {
      started.source = await startStandInProcess(source);
      afterwards(() => started.source.stop());
      started.destination = await startStandInProcess(destination);
      afterwards(() => started.destination.stop());
      return {
        PORTAGE_CONNECTORS: standInPackages.join(","),
        OUTBOUND_ALLOW: [started.source.host, started.destination.host].join(","),
      };
    },
    connected: async (fixture, options = {}) => {
      const made = await fixture.newImport({
        ...options,
        partner: { destinationTool: "stand-in", ...options.partner },
        body: { source_tool: "stand-in", ...options.body },
      });
      for (const side of ["source", "destination"] as const) {
        const { url: instanceUrl, account, control } = started[side];
        const { token } = await control.newToken(account);
        await made.ask("PUT", `/connections/${side}`, { settings: { instanceUrl, token } });
      }
      return made;
    },
  };
};

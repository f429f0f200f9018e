import { join } from "node:path";
import { openSignInPage, type SignInPage } from "../support/authorization-server.ts";
import { startStandInProcess, type StandInProcess } from "../support/stand-in-process.ts";
import type { StandInOptions } from "../tools/stand-in/options.ts";
import { standInPackages } from "../tools/stand-in-package/index.ts";

export const acmeCloud = join(import.meta.dirname, "../tools/acme-cloud/connector.ts");

const acmeBoth = join(import.meta.dirname, "../tools/acme-both/connector.ts");

/** Tools to connect: the stand-in by its key, Acme Cloud by its own sign-in page, and Acme Both by either. */
export interface SideTools {
  readonly standIn: StandInProcess;
  readonly cloud: SignInPage;
  prepare(url: string, afterwards: (undo: () => unknown) => void): Promise<Readonly<Record<string, string>>>;
}

export const createSideTools = (options: Partial<StandInOptions> = {}): SideTools => {
  const started = {} as { standIn: StandInProcess; cloud: SignInPage };
  return {
    get standIn() {
      return started.standIn;
    },
    get cloud() {
      return started.cloud;
    },
    prepare: async (url, afterwards) => {
      started.standIn = await startStandInProcess(options);
      afterwards(() => started.standIn.stop());
      started.cloud = await openSignInPage({
        callback: `${url}/oauth/callback/acme-cloud`,
        otherCallbacks: [`${url}/oauth/callback/acme-both`],
        asksPeople: true,
      });
      afterwards(() => started.cloud.close());
      return {
        PORTAGE_CONNECTORS: [...standInPackages, acmeCloud, acmeBoth].join(","),
        OUTBOUND_ALLOW: [started.standIn.host, started.cloud.host].join(","),
      };
    },
  };
};

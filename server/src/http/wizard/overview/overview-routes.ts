import { listConnections } from "../../../features/connections/index.ts";
import { findGiven, listWarnings, signInsErasedAt } from "../../../features/imports/index.ts";
import type { FindKinds } from "../../../features/inventory/index.ts";
import { findAddress, maskAddress, removeAddress, saveAddress } from "../../../features/mail/index.ts";
import { findLogo, findPartner, hasLogo } from "../../../features/partners/index.ts";
import type { RunPreflight } from "../../../features/preflight/index.ts";
import { findLatestRun } from "../../../features/runs/index.ts";
import { listOAuthClients, type ToolRegistry } from "../../../features/tools/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import type { WizardRoute } from "../access/route.ts";
import { notices } from "./notices.ts";
import { showBrand } from "./show-brand.ts";
import { showWizardImport } from "./show-import.ts";
import { showPreflight } from "./show-preflight.ts";

export interface OverviewRoutesNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly preflight: RunPreflight;
  readonly findKinds: FindKinds;
  /** Whether customers can subscribe to mails. */
  readonly sendsMail: boolean;
}

/** The import's status, the partner's branding, and the customer's mail address. */
export const overviewRoutes = (needs: OverviewRoutesNeeds): readonly WizardRoute[] => {
  const { db, sealer, registry, sendsMail } = needs;
  const findNotices = async (importId: string) => {
    if (!sendsMail) return null;
    const kept = await findAddress(db, sealer, importId);
    return { email: kept ? maskAddress(kept.email.reveal()) : null };
  };
  return [
    showWizardImport({
      registry,
      findGiven: (importId, side) => findGiven(db, sealer, importId, side),
      listConnections: (importId) => listConnections(db, sealer, importId),
      listWarnings: (importId) => listWarnings(db, importId),
      hasOAuthClient: async (tool) => (await listOAuthClients(db)).some((client) => client.tool === tool),
      findPartner: (id) => findPartner(db, id),
      hasLogo: (id) => hasLogo(db, id),
      signInsErasedAt: (importId) => signInsErasedAt(db, importId),
      findLatestRun: (importId) => findLatestRun(db, importId),
      findNotices,
      findKinds: needs.findKinds,
    }),
    ...showBrand({ findPartner: (id) => findPartner(db, id), findLogo: (id) => findLogo(db, id) }),
    ...notices({
      sendsMail,
      saveAddress: (wanted) => saveAddress(db, sealer, wanted),
      removeAddress: (importId, session) => removeAddress(db, importId, session),
    }),
    showPreflight(needs),
  ];
};

import {
  findSignIn,
  listConnections,
  type Revoked,
  type SignInNeeds,
  type TrySettings,
} from "../../features/connections/index.ts";
import {
  beginSignIn,
  connectSide,
  findAnyImport,
  findGiven,
  finishSignIn,
  listWarnings,
  redirectUrl,
  type Side,
  signInsErasedAt,
  signOut,
} from "../../features/imports/index.ts";
import type { FindKinds } from "../../features/inventory/index.ts";
import {
  findLink,
  findSession,
  linkHash,
  listLinks,
  makeLink,
  openSession,
  revokeLink,
  revokeMailedLinks,
} from "../../features/links/index.ts";
import {
  findAddress,
  maskAddress,
  removeAddress,
  saveAddress,
  stopByKey,
} from "../../features/mail/index.ts";
import { findLogo, findPartner, hasLogo } from "../../features/partners/index.ts";
import type { RunPreflight } from "../../features/preflight/index.ts";
import { findLatestRun } from "../../features/runs/index.ts";
import { lookAtSimulation } from "../../features/simulator/index.ts";
import { labelFor } from "../../features/tools/index.ts";
import type { Mounted } from "../server.ts";
import { connect } from "./connect.ts";
import { disconnect } from "./disconnect.ts";
import { endSignIn } from "./end-sign-in.ts";
import { mountWizardRoutes } from "./gate.ts";
import { notices } from "./notices.ts";
import { assets } from "./pages/assets.ts";
import { signInReturn } from "./pages/sign-in-return.ts";
import { stopMails } from "./pages/stop-mails.ts";
import { wayIn } from "./pages/way-in.ts";
import { shareLinks } from "./share-links.ts";
import { showBrand } from "./show-brand.ts";
import { showImport } from "./show-import.ts";
import { showPreflight } from "./show-preflight.ts";
import { startSignIn } from "./start-sign-in.ts";

export interface WizardNeeds extends SignInNeeds {
  readonly trySettings: TrySettings;
  readonly preflight: RunPreflight;
  readonly findKinds: FindKinds;
  readonly onRevoked: (importId: string, side: Side, revoked: Revoked) => void;
  /** Where the built pages are. */
  readonly webFolder: string;
  /** Whether customers can ask to be written to. */
  readonly sendsMail: boolean;
}

/** Long enough for an admin who is away for some days. */
const adminLinkMs = 7 * 24 * 3_600_000;

/** All that the customer's link opens: its page, and the API behind the wizard. */
export const wizard = (needs: WizardNeeds): readonly Mounted[] => {
  const { db, sealer, registry, publicUrl, webFolder, sendsMail } = needs;
  const findNotices = async (importId: string) => {
    if (!sendsMail) return null;
    const kept = await findAddress(db, sealer, importId);
    return { email: kept ? maskAddress(kept.email.reveal()) : null };
  };
  const gate = {
    publicUrl,
    findImport: (id: string) => findAnyImport(db, sealer, id),
    findSession: (importId: string, key: string) => findSession(db, importId, key),
  };
  return [
    ...wayIn({
      ...gate,
      webFolder,
      findPartner: (id) => findPartner(db, id),
      findLink: (importId, token) => findLink(db, importId, linkHash(token)),
      openSession: ({ id, linkMark }, link) => openSession(db, { importId: id, linkMark, link }),
      lookAtSimulation: (id) => lookAtSimulation({ db, sealer }, id),
      labelOf: (tool, partnerName) => labelFor(registry, tool, partnerName),
    }),
    signInReturn({ findSignIn: (tool, state) => findSignIn(db, tool, state) }),
    assets(webFolder),
    ...stopMails({ stopByKey: (importId, key) => stopByKey(db, sealer, importId, key) }),
    ...mountWizardRoutes(
      [
        showImport({
          registry,
          findGiven: (importId, side) => findGiven(db, sealer, importId, side),
          listConnections: (importId) => listConnections(db, sealer, importId),
          listWarnings: (importId) => listWarnings(db, importId),
          findPartner: (id) => findPartner(db, id),
          hasLogo: (id) => hasLogo(db, id),
          signInsErasedAt: (importId) => signInsErasedAt(db, importId),
          findLatestRun: (importId) => findLatestRun(db, importId),
          findNotices,
          findKinds: needs.findKinds,
        }),
        ...showBrand({ findPartner: (id) => findPartner(db, id), findLogo: (id) => findLogo(db, id) }),
        ...shareLinks({
          makeAdminLink: ({ id, linkMark }, side) =>
            makeLink(db, {
              importId: id,
              side,
              purpose: "admin",
              expiresInMs: adminLinkMs,
              underMark: linkMark,
            }),
          listLinks: (importId) => listLinks(db, importId),
          revokeLink: (importId, id) => revokeLink(db, importId, id),
          urlOf: (importId, token) => redirectUrl(publicUrl, importId, token),
        }),
        ...notices({
          sendsMail,
          saveAddress: (wanted) => saveAddress(db, sealer, wanted),
          removeAddress: (importId) => removeAddress(db, importId),
          revokeMailedLinks: (importId, session) => revokeMailedLinks(db, importId, session),
        }),
        connect({ connectSide: connectSide(needs) }),
        disconnect({ disconnectSide: signOut(needs) }),
        showPreflight(needs),
        startSignIn({ beginSignIn: beginSignIn(needs) }),
        endSignIn({ finishSignIn: finishSignIn(needs) }),
      ],
      gate,
    ),
  ];
};

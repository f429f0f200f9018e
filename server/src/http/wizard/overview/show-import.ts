import { statusTexts, type Warning } from "@portage/contract";
import type { WizardImport, WizardNotices, WizardPartner, WizardSideState } from "@portage/contract/wizard";
import {
  type ChosenManifest,
  chooseSignIn,
  type Given,
  givenSettings,
  type ListedConnection,
  hasReadOnlySignIn,
  offeredSignIns,
  secretSettings,
  settingsForm,
} from "../../../features/connections/index.ts";
import {
  type ImportRecord,
  isPaid,
  leftOver,
  type Side,
  signInKeptDays,
} from "../../../features/imports/index.ts";
import type { FindKinds } from "../../../features/inventory/index.ts";
import type { May } from "../../../features/links/index.ts";
import type { Partner } from "../../../features/partners/index.ts";
import type { LatestRun } from "../../../features/runs/index.ts";
import { namedFor, type ToolRegistry } from "../../../features/tools/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly registry: ToolRegistry;
  readonly findGiven: (importId: string, side: Side) => Promise<Given>;
  readonly listConnections: (importId: string) => Promise<readonly ListedConnection[]>;
  readonly listWarnings: (importId: string) => Promise<readonly Warning[]>;
  /** Whether the operator registered with the tool, at any address. */
  readonly hasOAuthClient: (tool: string) => Promise<boolean>;
  readonly findPartner: (id: string) => Promise<Partner | undefined>;
  readonly hasLogo: (partnerId: string) => Promise<boolean>;
  readonly signInsErasedAt: (importId: string) => Promise<Readonly<Record<Side, Date | null>>>;
  /** Null: this installation sends no mail. */
  readonly findNotices: (importId: string) => Promise<WizardNotices | null>;
  readonly findKinds: FindKinds;
  readonly findLatestRun: (importId: string) => Promise<LatestRun | null>;
}

const describeSignIn = (manifest: ChosenManifest, side: Side, given: Given) => ({
  signIn: manifest.auth.kind,
  readOnly: side === "source" && hasReadOnlySignIn(manifest),
  form: settingsForm(manifest),
  /** Names of settings that the partner supplied, so that the customer need not type them; never their values. */
  supplied: Object.keys(givenSettings(manifest, given)),
});

const describeSide = async (
  { registry, hasOAuthClient }: Needs,
  { side, tool, partnerName }: { side: Side; tool: string; partnerName: string },
  given: Given,
  connection: ListedConnection | undefined,
): Promise<WizardSideState> => {
  const connector = registry.find(tool);
  if (!connector) throw new Error(`There is no tool ${tool}.`);
  const { manifest } = namedFor(connector, partnerName);
  const isRegistered = manifest.auth.kind === "choice" && (await hasOAuthClient(tool));
  const [first, second] = offeredSignIns(manifest, isRegistered, connection?.settings ?? null);
  const hidden = new Set([
    ...Object.keys(givenSettings(manifest, given)),
    ...secretSettings(chooseSignIn(manifest, "secret")),
  ]);
  const typeable = new Set(
    [first, second].flatMap((way) => Object.keys(way ? settingsForm(way).properties : {})),
  );
  return {
    ...describeSignIn(first, side, given),
    tool,
    label: manifest.label,
    partnersOwn: manifest.partnersOwn ?? false,
    state: connection?.state ?? "disconnected",
    connected: connection?.state === "connected",
    accountName: connection?.accountName ?? null,
    signInName: connection?.signInName ?? null,
    /** The customer's previous input without secrets, so that the customer need not type it again. */
    values: Object.fromEntries(
      Object.entries(connection?.settings ?? {}).filter(([name]) => typeable.has(name) && !hidden.has(name)),
    ),
    alternative: second ? describeSignIn(second, side, given) : null,
  };
};

/** The view of a side for an admin who may connect only the other one. */
const inShort = (side: WizardSideState): WizardSideState => ({
  ...side,
  accountName: null,
  signInName: null,
  supplied: [],
  values: {},
  alternative: null,
  form: { type: "object", properties: {}, required: [] },
});

const describePartner = async ({ findPartner, hasLogo }: Needs, id: string) => {
  const partner = await findPartner(id);
  if (!partner) throw new Error(`There is no partner ${id}.`);
  const { helpUrl, helpEmail, privacyUrl, returnUrl } = partner.branding;
  const shown: WizardPartner = {
    name: partner.name,
    helpUrl: helpUrl ?? null,
    helpEmail: helpEmail ?? null,
    privacyUrl: privacyUrl ?? null,
    returnUrl: returnUrl ?? null,
    hasLogo: await hasLogo(id),
  };
  return { partner: shown, payer: partner.payer };
};

const describeRetention = async ({ signInsErasedAt }: Needs, importId: string) => {
  const { source, destination } = await signInsErasedAt(importId);
  return {
    days: signInKeptDays,
    signInErasedAt: {
      source: source?.toISOString() ?? null,
      destination: destination?.toISOString() ?? null,
    },
    undoEndsAt: destination?.toISOString() ?? null,
  };
};

const describeSides = async (needs: Needs, found: ImportRecord, may: May, partnerName: string) => {
  const connections = await needs.listConnections(found.id);
  const side = async (name: Side, tool: string) => {
    const described = await describeSide(
      needs,
      { side: name, tool, partnerName },
      await needs.findGiven(found.id, name),
      connections.find((each) => each.side === name),
    );
    return may === "everything" || may.connect === name ? described : inShort(described);
  };
  return {
    source: await side("source", found.sourceTool),
    destination: await side("destination", found.destinationTool),
  };
};

/** The import's status, the state of its two sides, and the caller's permissions. */
export const showWizardImport = (needs: Needs): WizardRoute => ({
  method: "GET",
  path: "",
  openToAdmin: "always",
  // An open page detects here that the import was closed.
  evenClosed: true,
  handle: async ({ import: found, session, may }) => {
    const { state } = found;
    const whole = may === "everything";
    const { partner, payer } = await describePartner(needs, found.partnerId);
    return ok({
      id: found.id,
      status: { code: state.status, text: statusTexts[state.status] },
      family: found.family,
      sides: await describeSides(needs, found, may, partner.name),
      kinds: await needs.findKinds(found),
      warnings: whole ? await needs.listWarnings(found.id) : [],
      csrf: session?.csrf ?? null,
      may,
      partner,
      payer,
      sponsorship: state.sponsorship,
      asked: state.asked,
      paid: isPaid(state),
      retention: await describeRetention(needs, found.id),
      run: whole ? await needs.findLatestRun(found.id) : null,
      notices: whole ? await needs.findNotices(found.id) : null,
      closed: state.closed && {
        kind: state.closed,
        at: (found.closedAt ?? found.activeAt).toISOString(),
        ...leftOver(state),
      },
    } satisfies WizardImport);
  },
});

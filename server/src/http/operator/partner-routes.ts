import { filledText } from "@portage/contract";
import {
  brandingPreviewSchema,
  brandingSchema,
  next,
  page,
  partnerSchema,
  shownPartner,
  tokenSchema,
} from "@portage/contract/operator";
import { z } from "zod";
import {
  brandingSchema as partnerBranding,
  contrast,
  deriveTheme,
  findLogoDigest,
  hasLogo,
  insertPartner,
  issueToken,
  listPartners,
  listTokens,
  newPartner,
  type Partner,
  readLogo,
  revokeToken,
  saveLogo,
  setSuspended,
  updatePartner,
  validatePartnerSettings,
} from "../../features/partners/index.ts";
import { findTarget, targetWarning } from "../../features/webhooks/index.ts";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import { Problem } from "../answer.ts";
import { heldPartner, knownPartner } from "./find.ts";
import { InvalidInput } from "./invalid-input.ts";
import { operatorRoute, type OperatorRoute, type Tools } from "./operation.ts";
import { pageOf } from "../../platform/page-of.ts";
import { brandingJson, partnerJson, tokenJson } from "./represent.ts";

/** Any JSON: the feature's own rules check it, so that they are the command line's, too. */
const setting = z.unknown().optional();

const brandingSettings = {
  color: setting,
  help_url: setting,
  help_email: setting,
  privacy_url: setting,
  return_url: setting,
  embed_origins: setting,
};

const settings = z.object({
  name: setting,
  destination_tool: setting,
  default_family: setting,
  payer: setting,
  full_request_url: setting,
  branding: z
    .strictObject(brandingSettings)
    .optional()
    .describe("What you leave out of it stays as it is; null removes it."),
  logo: z
    .base64("must be in base64")
    .nullable()
    .optional()
    .describe("A PNG, JPEG, WebP or SVG file of at most 256 KiB, in base64; null removes it."),
  allowed_source_tools: setting,
  archive_after_days: setting,
  included_days: setting,
  old_links_days: setting,
  contact_email: setting,
});

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const camelKeys = (object: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [camel(name), value as unknown]),
  );

/** What is left out stays as it is; null removes a value. */
const changedBranding = (before: Partner["branding"], given: object) =>
  Object.fromEntries(
    Object.entries({ ...before, ...camelKeys(given) }).filter(([, value]) => value !== null),
  );

/** Enough for a logo. */
const maxBodyBytes = 512 * 1024;

const validated = async (
  tools: Tools,
  before: Pick<Partner, "branding">,
  { logo: _, branding = {}, ...given }: z.infer<typeof settings>,
) => {
  const checked = validatePartnerSettings(await tools(), {
    ...before,
    ...camelKeys(given),
    branding: changedBranding(before.branding, branding),
  });
  if (checked.kind === "valid") return checked.settings;
  const errors: Record<string, string[]> = {};
  for (const { setting: name, message } of checked.problems) (errors[snake(name)] ??= []).push(message);
  throw new InvalidInput(errors);
};

/** Undefined: it stays as it is. */
const saveGivenLogo = async (db: Database, id: string, given: string | null | undefined) => {
  if (given === undefined) return;
  const read = given === null ? null : readLogo(Buffer.from(given, "base64"));
  if (read?.kind === "refused") throw new InvalidInput({ logo: [read.message] });
  await saveLogo(db, id, read && read.logo);
};

const describePartner = async (db: Database, partner: Partner) => {
  const target = await findTarget(db, partner.id);
  return {
    ...partnerJson(partner),
    has_logo: await hasLogo(db, partner.id),
    webhook_warning: target ? targetWarning(target) : null,
  };
};

const settingsOf = ({ id: _, suspendedAt: __, createdAt: ___, ...rest }: Partner) => rest;

/** For the audit log: a digest tells one logo from another. */
const auditedPartner = async (db: Database, partner: Partner) => ({
  ...partnerJson(partner),
  logo_sha256: await findLogoDigest(db, partner.id),
});

const changedPartner = async (db: Database, before: object | null, after: Partner) => ({
  body: await describePartner(db, after),
  target: { kind: "partner", id: after.id } as const,
  before,
  after: await auditedPartner(db, after),
});

const suspension = (suspended: boolean): OperatorRoute =>
  operatorRoute(
    {
      id: suspended ? "suspendPartner" : "resumePartner",
      method: "POST",
      path: `/partners/:id/${suspended ? "suspend" : "resume"}`,
      area: "partners",
      role: "admin",
      summary: suspended ? "Suspend a partner" : "Resume a partner",
      description: suspended
        ? "Its tokens and the sessions of its people stop working within 5 seconds; its customers' imports go on. Safe to repeat."
        : "Its tokens work again. Safe to repeat.",
      answer: shownPartner,
    },
    async ({ db, params }) => {
      const before = await heldPartner(db, params["id"] ?? "");
      const audited = await auditedPartner(db, before);
      const after = await setSuspended(db, before.id, suspended);
      return changedPartner(db, audited, after ?? before);
    },
  );

const previewBranding = operatorRoute(
  {
    id: "previewBranding",
    method: "GET",
    path: "/branding-preview",
    area: "partners",
    role: "viewer",
    partner: true,
    summary: "Preview a partner's color",
    description:
      "The colors that customers would see, on light and on dark pages, and how readable a button is.",
    query: z.object({
      color: z.string().regex(/^#[0-9a-f]{6}$/i, "must be a color such as #0b6580"),
    }),
    answer: brandingPreviewSchema,
  },
  async ({ query: { color } }) => {
    const { light, dark, moved } = deriveTheme(color);
    const shown = ({ brand, onBrand }: typeof light) => ({
      brand,
      on_brand: onBrand,
      contrast: contrast(onBrand, brand),
    });
    return { body: { light: shown(light), dark: shown(dark), moved } };
  },
);

export const partnerRoutes = ({ tools }: { readonly tools: Tools }): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "listPartners",
      method: "GET",
      path: "/partners",
      area: "partners",
      role: "viewer",
      summary: "List partners",
      description: "Oldest first. Go on with `after` = `next`.",
      query: z.object({ after: z.string().optional().describe("The last id of the page before."), ...page }),
      answer: z.object({ partners: z.array(partnerSchema), next: next("after") }),
    },
    async ({ db, query: { after, limit } }) => {
      const found = await listPartners(db, { after, limit: limit + 1 });
      const { rows, next: goOn } = pageOf(found, limit, ({ id }) => id);
      return { body: { partners: rows.map(partnerJson), next: goOn } };
    },
  ),
  operatorRoute(
    {
      id: "showPartner",
      method: "GET",
      path: "/partners/:id",
      area: "partners",
      role: "viewer",
      partner: true,
      summary: "Show a partner",
      description: "Its settings, and whether something is wrong with its webhook endpoint.",
      answer: shownPartner,
    },
    async ({ db, params }) => {
      const partner = await knownPartner(db, params["id"] ?? "");
      return { body: await describePartner(db, partner), target: { kind: "partner", id: partner.id } };
    },
  ),
  operatorRoute(
    {
      id: "createPartner",
      method: "POST",
      path: "/partners",
      area: "partners",
      role: "admin",
      summary: "Create a partner",
      description:
        "`name` and `destination_tool` are required. Send an Idempotency-Key, so that a repeat creates no second one.",
      body: settings,
      maxBodyBytes,
      answer: shownPartner,
    },
    async ({ db, body }) => {
      const made = await insertPartner(db, newId("prt"), await validated(tools, newPartner, body));
      await saveGivenLogo(db, made.id, body.logo);
      return changedPartner(db, null, made);
    },
  ),
  operatorRoute(
    {
      id: "updatePartner",
      method: "PUT",
      path: "/partners/:id",
      area: "partners",
      role: "admin",
      summary: "Change a partner's settings",
      description: "A setting that you leave out stays as it is.",
      body: settings,
      maxBodyBytes,
      answer: shownPartner,
    },
    async ({ db, params, body }) => {
      const before = await heldPartner(db, params["id"] ?? "");
      const audited = await auditedPartner(db, before);
      const after = await updatePartner(db, before.id, await validated(tools, settingsOf(before), body));
      await saveGivenLogo(db, before.id, body.logo);
      return changedPartner(db, audited, after ?? before);
    },
  ),
  operatorRoute(
    {
      id: "showBranding",
      method: "GET",
      path: "/partners/:id/branding",
      area: "partners",
      role: "viewer",
      partner: true,
      summary: "Show a partner's branding",
      description: "The color, addresses and embed origins of its wizard.",
      answer: brandingSchema,
    },
    async ({ db, params }) => {
      const { id, branding } = await knownPartner(db, params["id"] ?? "");
      return { body: brandingJson(branding), target: { kind: "partner", id } };
    },
  ),
  operatorRoute(
    {
      id: "setBranding",
      method: "PUT",
      path: "/partners/:id/branding",
      area: "partners",
      role: "admin",
      partner: true,
      summary: "Change a partner's branding",
      description:
        "What you leave out stays as it is; null removes it. The logo is one of the partner's settings.",
      body: z.object(brandingSettings),
      answer: brandingSchema,
    },
    async ({ db, params, body }) => {
      const { id, branding: before } = await heldPartner(db, params["id"] ?? "");
      const checked = partnerBranding.safeParse(changedBranding(before, body));
      if (!checked.success) {
        const errors: Record<string, string[]> = {};
        for (const { path, message } of checked.error.issues)
          (errors[snake(path.join("."))] ??= []).push(message);
        throw new InvalidInput(errors);
      }
      await updatePartner(db, id, { branding: checked.data });
      const after = brandingJson(checked.data);
      return { body: after, target: { kind: "partner", id }, before: brandingJson(before), after };
    },
  ),
  suspension(true),
  suspension(false),
  previewBranding,
  operatorRoute(
    {
      id: "listTokens",
      method: "GET",
      path: "/partners/:id/tokens",
      area: "partners",
      role: "viewer",
      summary: "List a partner's tokens",
      description: "Oldest first, without their values, revoked ones included.",
      answer: z.object({ tokens: z.array(tokenSchema) }),
    },
    async ({ db, params }) => {
      const { id } = await knownPartner(db, params["id"] ?? "");
      return { body: { tokens: (await listTokens(db, id)).map(tokenJson) }, target: { kind: "partner", id } };
    },
  ),
  operatorRoute(
    {
      id: "issueToken",
      method: "POST",
      path: "/partners/:id/tokens",
      area: "partners",
      role: "admin",
      summary: "Issue a partner's token",
      description:
        "`token` is shown this once: Portage stores its hash. Send an Idempotency-Key, so that a repeat issues no second one.",
      body: z.object({ label: filledText(200) }),
      answer: tokenSchema.extend({ token: z.string() }),
    },
    async ({ db, params, body }) => {
      const { id } = await knownPartner(db, params["id"] ?? "");
      const { token, record } = await issueToken(db, id, body.label);
      return {
        body: { ...tokenJson(record), token: token.reveal() },
        target: { kind: "partner", id },
        after: tokenJson(record),
      };
    },
  ),
  operatorRoute(
    {
      id: "revokeToken",
      method: "POST",
      path: "/tokens/:id/revoke",
      area: "partners",
      role: "operator",
      summary: "Revoke a partner's token",
      description: "By its id (tok_…). It stops working everywhere within 5 seconds. Safe to repeat.",
      answer: tokenSchema,
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      const revoked = await revokeToken(db, id);
      if (!revoked) throw new Problem("not_found", "There is no such token. Its id begins with tok_.");
      return {
        body: tokenJson(revoked),
        target: { kind: "token", id },
        after: tokenJson(revoked),
      };
    },
  ),
];

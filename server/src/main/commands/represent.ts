import type { ImportRecord } from "../../features/imports/index.ts";
import type { ApiToken, Partner } from "../../features/partners/index.ts";
import { statusTexts } from "@portage/contract";

/** The output of --json. Scripts read it: add fields, never rename them. */
export const partnerJson = (partner: Partner) => ({
  id: partner.id,
  name: partner.name,
  destination_tool: partner.destinationTool,
  default_family: partner.defaultFamily,
  payer: partner.payer,
  full_request_url: partner.fullRequestUrl,
  branding: {
    color: partner.branding.color ?? null,
    help_url: partner.branding.helpUrl ?? null,
    help_email: partner.branding.helpEmail ?? null,
    privacy_url: partner.branding.privacyUrl ?? null,
    return_url: partner.branding.returnUrl ?? null,
    embed_origins: partner.branding.embedOrigins ?? [],
  },
  allowed_source_tools: partner.allowedSourceTools,
  archive_after_days: partner.archiveAfterDays,
  included_days: partner.includedDays,
  old_links_days: partner.oldLinksDays,
  suspended_at: partner.suspendedAt,
  created_at: partner.createdAt,
});

export const tokenJson = (token: ApiToken) => ({
  id: token.id,
  partner_id: token.partnerId,
  label: token.label,
  last_characters: token.lastCharacters,
  created_at: token.createdAt,
  revoked_at: token.revokedAt,
});

/** Omits the customer link: its holder can act as the customer. */
export const importJson = ({ state, ...found }: ImportRecord) => ({
  id: found.id,
  partner_id: found.partnerId,
  status_code: state.status,
  status: statusTexts[state.status],
  closed: state.closed,
  source_tool: found.sourceTool,
  destination_tool: found.destinationTool,
  family: found.family,
  reference: found.reference,
  destination_instance_url: found.destinationInstanceUrl,
  destination_username: found.destinationUsername,
  sponsorship: state.sponsorship,
  bought: state.bought,
  asked: state.asked,
  start_full: state.startFull,
  source_connected: state.sourceConnected,
  destination_connected: state.destinationConnected,
  live_run: state.liveRun,
  stopping: state.stopping,
  created_at: found.createdAt,
  active_at: found.activeAt,
});

import { statusTexts } from "@portage/contract";
import type { ImportRecord } from "../../features/imports/index.ts";
import type { ApiToken, Partner } from "../../features/partners/index.ts";
import {
  type PartitionState,
  type RunDetails,
  type Stuck,
  stuckCauses,
  type WebhookBacklog,
} from "../../features/operations/index.ts";
import type { Report, RunProgress } from "../../features/runs/index.ts";
import type { AuditEntry, BrowserSession, StaffMember, StaffToken } from "../../features/staff/index.ts";
import type { AccountHealth } from "../../features/tool-limits/index.ts";
import { type Delivery, targetWarning, type WebhookTarget } from "../../features/webhooks/index.ts";

export const brandingJson = (branding: Partner["branding"]) => ({
  color: branding.color ?? null,
  help_url: branding.helpUrl ?? null,
  help_email: branding.helpEmail ?? null,
  privacy_url: branding.privacyUrl ?? null,
  return_url: branding.returnUrl ?? null,
  embed_origins: branding.embedOrigins ?? [],
});

/** An answer of the operator API, and the output of --json. Scripts read it: add fields, never rename them. */
export const partnerJson = (partner: Partner) => ({
  id: partner.id,
  name: partner.name,
  destination_tool: partner.destinationTool,
  default_family: partner.defaultFamily,
  payer: partner.payer,
  full_request_url: partner.fullRequestUrl,
  branding: brandingJson(partner.branding),
  allowed_source_tools: partner.allowedSourceTools,
  archive_after_days: partner.archiveAfterDays,
  included_days: partner.includedDays,
  old_links_days: partner.oldLinksDays,
  contact_email: partner.contactEmail,
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

export const targetJson = (target: WebhookTarget) => ({
  partner_id: target.partnerId,
  url: target.url,
  events: target.eventTypes,
  ordered: target.ordered,
  progress: target.progress,
  old_secret_until: target.oldSecretUntil,
  failing_since: target.failingSince,
  disabled_at: target.disabledAt,
  disabled_because: target.disabledBecause,
  warning: targetWarning(target),
  created_at: target.createdAt,
});

export const deliveryJson = (delivery: Delivery) => ({
  event_id: delivery.eventId,
  type: delivery.type,
  import_id: delivery.importId,
  simulation_id: delivery.simulationId,
  state: delivery.state,
  next_attempt_at: delivery.nextAttemptAt,
  created_at: delivery.createdAt,
  attempts: delivery.attempts.map(({ at, status, durationMs, error, answer }) => ({
    at,
    status,
    duration_ms: durationMs,
    error,
    answer,
  })),
});

export const backlogJson = (backlog: WebhookBacklog) => ({
  partner_id: backlog.partnerId,
  waiting: backlog.waiting,
  sending: backlog.sending,
  held: backlog.held,
  oldest_due_at: backlog.oldestDueAt,
  failing_since: backlog.failingSince,
  disabled_at: backlog.disabledAt,
  disabled_because: backlog.disabledBecause,
});

export const accountJson = (account: AccountHealth) => ({
  account_id: account.accountId,
  requests_last_minute: account.lastMinute,
  requests_per_minute: account.requestsPerMinute,
  wait_seconds: Math.ceil(account.waitMs / 1000),
  circuit_open: account.circuitOpen,
  refused_since: account.refusedSince,
  quotas: account.quotas.map(({ name, requests, perMs, used, counts }) => ({
    name,
    requests,
    per_seconds: perMs / 1000,
    used,
    only: counts.only ?? null,
    request_class: counts.class ?? null,
    by_cost: counts.by === "cost",
  })),
});

export const stuckJson = (stuck: Stuck | undefined) =>
  stuck
    ? {
        cause: stuck.cause,
        since: stuck.since,
        about: stuck.about,
        waits_for: stuckCauses[stuck.cause].waitsFor,
        text: stuckCauses[stuck.cause].text,
      }
    : null;

const partitionJson = (partition: PartitionState) => ({
  no: partition.no,
  step: partition.step,
  task: partition.task,
  stream: partition.stream,
  state: partition.state,
  expected: partition.expected,
  read: partition.read,
  created: partition.created,
  updated: partition.updated,
  matched: partition.matched,
  skipped: partition.skipped,
  failed: partition.failed,
  removed: partition.removed,
  kept: partition.kept,
  attempts: partition.attempts,
  failures: partition.failures,
  failing_since: partition.failingSince,
  position: partition.position,
  lease_seconds: partition.leaseSeconds,
  progress_at: partition.progressAt,
  in_doubt_since: partition.inDoubtSince,
  started_at: partition.startedAt,
  ended_at: partition.endedAt,
});

export const runJson = (run: RunDetails) => ({
  id: run.id,
  number: run.number,
  kind: run.kind,
  state: run.state,
  wanted: run.wanted,
  waiting_for: run.waitingFor,
  waiting_since: run.waitingSince,
  refusals: run.refusals,
  causes: run.causes,
  failure: run.failureCode === null ? null : { code: run.failureCode, message: run.failureMessage ?? "" },
  started_at: run.startedAt,
  ended_at: run.endedAt,
  partitions: run.partitions?.map(partitionJson) ?? null,
});

export const detailedProgressJson = (progress: RunProgress | null) =>
  progress && {
    phase: progress.phase,
    state: progress.state,
    step: progress.step,
    waiting_for: progress.waitingFor,
    done: progress.done,
    failed: progress.failed,
    skipped: progress.skipped,
    total: progress.total,
    per_minute: progress.perMinute,
    eta_seconds: progress.etaSeconds,
    streams: progress.streams,
  };

const countsOf = (causes: Report["streams"][number]["failed"]) =>
  causes.map(({ code, count }) => ({ code, count }));

/** Counts alone: the ids of records stay with the customer. */
export const reportJson = ({ importId, run, undone, streams }: Report) => ({
  import_id: importId,
  run: { id: run.id, number: run.number, kind: run.kind, started_at: run.startedAt, ended_at: run.endedAt },
  undone,
  streams: streams.map((each) => ({
    stream: each.stream,
    label: each.label,
    source: each.source,
    written: each.written,
    matched: each.matched,
    skipped: countsOf(each.skipped),
    failed: countsOf(each.failed),
    behind: countsOf(each.behind),
    deleted_at_source: each.deletedAtSource,
    verified: {
      compared: each.verified.compared,
      same: each.verified.same,
      differs: each.verified.differs,
      gone: each.verified.gone,
      doubled: each.verified.doubled,
    },
  })),
});

export const auditJson = (entry: AuditEntry) => ({
  seq: entry.seq,
  at: entry.at,
  staff_id: entry.staffId,
  staff_name: entry.staffName,
  token_id: entry.tokenId,
  session_id: entry.sessionId,
  machine_user: entry.machineUser,
  role: entry.role,
  action: entry.action,
  changes: entry.changes,
  target: entry.target,
  target_id: entry.targetId,
  reason: entry.reason,
  request_id: entry.requestId,
  outcome: entry.outcome,
  before: entry.before,
  after: entry.after,
});

export const staffJson = (person: StaffMember) => ({
  id: person.id,
  name: person.name,
  email: person.email,
  role: person.role,
  partner_id: person.partnerId,
  break_glass: person.breakGlass,
  disabled_at: person.disabledAt,
  created_at: person.createdAt,
});

export const sessionJson = (session: BrowserSession) => ({
  id: session.id,
  staff_id: session.staffId,
  signed_in_by: session.signedInBy,
  address: session.address,
  created_at: session.createdAt,
  expires_at: session.expiresAt,
  idle_at: session.idleAt,
  revoked_at: session.revokedAt,
});

export const staffTokenJson = (token: StaffToken) => ({
  id: token.id,
  staff_id: token.staffId,
  label: token.label,
  last_characters: token.lastCharacters,
  role: token.role,
  areas: token.areas,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  revoked_at: token.revokedAt,
});

/** For the audit log: how an import stands, without data of its customer. */
export const auditedState = ({ state }: ImportRecord) => ({
  status: state.status,
  sponsorship: state.sponsorship,
  closed: state.closed,
  live_run: state.liveRun,
  stopping: state.stopping,
});

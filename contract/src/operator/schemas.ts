import { z } from "zod";
import { eventTypes } from "../events.ts";
import { families } from "../families.ts";
import { payers } from "../sponsorship.ts";
import { statusCodes } from "../statuses.ts";
import { isStorableTime } from "../time.ts";

/** Each includes what those before it may. */
export const staffRoles = ["viewer", "operator", "admin"] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Also a person of a partner, who may do nothing but what is open to partners, and only to the own partner. */
export const accountRoles = [...staffRoles, "partner"] as const;
export type AccountRole = (typeof accountRoles)[number];

export const signInMethods = ["local", "passkey", "oidc"] as const;

/** Parts of the operator API, to which a token can be limited. */
export const staffAreas = [
  "imports",
  "partners",
  "webhooks",
  "tools",
  "billing",
  "system",
  "audit",
  "staff",
] as const;

/** Why an import is stuck. */
export const stuckCauseCodes = [
  "not_dispatched",
  "no_run",
  "silent",
  "failing",
  "no_progress",
  "sign_in_needed",
  "refused",
  "no_decision",
] as const;
export type StuckCauseCode = (typeof stuckCauseCodes)[number];

/** Who or what a stuck import waits for. */
export const waitedFor = ["customer", "partner", "workers", "tool"] as const;
export type WaitedFor = (typeof waitedFor)[number];

/** What became of a record that was not simply written. */
export const recordStates = ["failed", "skipped", "matched", "written", "kept"] as const;

/** The kinds of findings that count records; the others count fields, or what a comparison found. */
export const recordFindings = ["failed", "skipped", "kept"] as const;

/** How the answers look; the OpenAPI document is made from these, and the tests hold every answer to them. */
export const time = z.iso.datetime().describe("UTC.");
const json = z.unknown();

const maxPage = 200;
export const page = {
  limit: z.coerce.number({ error: "must be a number" }).int().min(1).max(maxPage).default(50),
};
export const flag = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true");
export const queryTime = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && isStorableTime(new Date(text)), {
    error: "must be a time of the years 1971 to 9999, such as 2026-11-15T08:00:00Z",
  })
  .transform((text) => new Date(text));

export const stuckSchema = z.object({
  cause: z.enum(stuckCauseCodes),
  since: time,
  about: z.string().nullable().describe("The side, stream or effect that it is about."),
  waits_for: z.enum(waitedFor),
  text: z.string(),
});

export const importSchema = z.object({
  id: z.string(),
  partner_id: z.string(),
  status_code: z.enum(statusCodes),
  status: z.string(),
  closed: z.enum(["cancelled", "archived"]).nullable(),
  source_tool: z.string(),
  destination_tool: z.string(),
  family: z.enum(families),
  reference: z.string().nullable(),
  destination_instance_url: z.string().nullable(),
  destination_username: z.string().nullable(),
  sponsorship: z.enum(["undecided", "accepted", "rejected"]),
  bought: z.boolean(),
  asked: z.boolean(),
  start_full: z.boolean(),
  source_connected: z.boolean(),
  destination_connected: z.boolean(),
  live_run: z.string().nullable(),
  stopping: z.string().nullable(),
  created_at: time,
  active_at: time,
});

export const listedImport = importSchema.extend({ stuck: stuckSchema.nullable() });

const partition = z.object({
  no: z.int(),
  step: z.int(),
  task: z.string(),
  stream: z.string(),
  state: z.string(),
  expected: z.int().nullable(),
  read: z.int(),
  created: z.int(),
  updated: z.int(),
  matched: z.int(),
  skipped: z.int(),
  failed: z.int(),
  removed: z.int(),
  kept: z.int(),
  attempts: z.int().describe("Since it last moved: each ended without a word."),
  failures: z.int().describe("Chunks in a row that got nowhere."),
  failing_since: z.string().nullable(),
  position: z.string().nullable().describe("Where it reads on, shortened. Null for people of partners."),
  lease_seconds: z.number().nullable().describe("Until the lease ends; negative: it is over."),
  progress_at: z.string().nullable(),
  in_doubt_since: z.string().nullable().describe("Since when a batch of writes is in doubt."),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});

const run = z.object({
  id: z.string(),
  number: z.int(),
  kind: z.string(),
  state: z.string(),
  wanted: z.enum(["run", "pause", "stop"]),
  waiting_for: z.enum(["source", "destination"]).nullable(),
  waiting_since: time.nullable(),
  refusals: json,
  causes: json,
  failure: z
    .object({ code: z.string(), message: z.string().describe("Empty for people of partners.") })
    .nullable(),
  started_at: time,
  ended_at: time.nullable(),
  partitions: z.array(partition).nullable().describe("Of the newest runs."),
});

export const deliverySchema = z.object({
  event_id: z.string(),
  type: z.enum(eventTypes),
  import_id: z.string().nullable(),
  simulation_id: z.string().nullable(),
  state: z.enum(["waiting", "sending", "held", "delivered", "failed"]),
  next_attempt_at: time.nullable(),
  created_at: time,
  attempts: z.array(
    z.object({
      at: time,
      status: z.int().nullable(),
      duration_ms: z.int(),
      error: z.string().nullable(),
      answer: z.string().nullable(),
    }),
  ),
});

export const auditSchema = z.object({
  seq: z.int(),
  at: time,
  staff_id: z
    .string()
    .nullable()
    .describe(
      "Null: a command on the database, one who failed to sign in, or, with the role `partner`, an API token: its id is `api_token` in `after`.",
    ),
  staff_name: z.string().nullable(),
  token_id: z.string().nullable(),
  session_id: z.string().nullable(),
  machine_user: z.string().nullable().describe("Of a command on the database."),
  role: z.enum(accountRoles).nullable(),
  action: z.string(),
  changes: z.boolean(),
  target: z.string().nullable(),
  target_id: z.string().nullable(),
  reason: z.string().nullable(),
  request_id: z.string(),
  outcome: z.string().describe("`done`, or the code of the error."),
  before: json,
  after: json,
});

const timelineEntry = z.object({
  at: time,
  kind: z.enum(["event", "staff"]).describe("An event of the import, or a call of the staff."),
  what: z.string(),
  by: z.string(),
  from_status: z.string().nullable(),
  to_status: z.string().nullable(),
  reason: z.string().nullable(),
  request_id: z.string().nullable(),
});

const finding = z.object({
  stream: z.string(),
  kind: z.string(),
  code: z.string(),
  count: z.int(),
  examples: z.array(z.string()).describe("A few ids in the source. Empty for people of partners."),
});

const account = z.object({
  account_id: z.string(),
  requests_last_minute: z.number(),
  requests_per_minute: z.number().nullable().describe("What the tool allows, as far as known."),
  wait_seconds: z.number().describe("How long no request may start."),
  circuit_open: z.boolean().describe("It fails so often that only probes are sent."),
  refused_since: time.nullable().describe("Since when it answers that there were too many requests."),
  quotas: z.array(
    z.object({
      name: z.string(),
      requests: z.number(),
      per_seconds: z.number(),
      used: z.number(),
      only: z.enum(["read", "write"]).nullable().describe("Counts only requests that read, or that write."),
      request_class: z.string().nullable().describe("Counts only requests of this class, such as export."),
      by_cost: z.boolean().describe("A request counts as its cost in the tool."),
    }),
  ),
});

export const shownImport = listedImport.extend({
  accounts: z
    .array(account.extend({ side: z.enum(["source", "destination"]), tool: z.string() }))
    .describe(
      "The accounts that it uses, as far as they were used lately. Empty for people of partners: others may use them, too.",
    ),
  warnings: z.array(z.object({ code: z.string(), message: z.string() }).loose()),
  progress: z
    .object({
      phase: z.string(),
      state: z.string(),
      step: z.string(),
      waiting_for: z.string().nullable(),
      done: z.int(),
      failed: z.int(),
      skipped: z.int(),
      total: z.int(),
      per_minute: z.number().nullable(),
      eta_seconds: z.number().nullable(),
      streams: z.array(
        z
          .object({
            stream: z.string(),
            state: z.enum(["waiting", "running", "ended"]),
            done: z.int(),
            failed: z.int(),
            skipped: z.int(),
            total: z.int(),
          })
          .loose(),
      ),
    })
    .nullable(),
  items: z.record(z.string(), z.int()).describe("Copies in the destination, by stream."),
  findings: z.array(finding).describe("Records by state and cause."),
  runs: z.array(run),
  deliveries: z.array(deliverySchema).describe("The newest webhooks of this import."),
  timeline: z.array(timelineEntry).describe("Newest first."),
});

export const recordSchema = z.object({
  stream: z.string(),
  id: z.string().describe("In the source."),
  destination_id: z.string().nullable(),
  state: z.enum(recordStates),
  code: z.string().describe("The cause; empty: there is none."),
  detail: z.string().nullable().describe("The tool's own words."),
});

const causeCounts = z.array(z.object({ code: z.string(), count: z.int() }));

export const reportSchema = z.object({
  import_id: z.string(),
  run: z.object({ id: z.string(), number: z.int(), kind: z.string(), started_at: time, ended_at: time }),
  undone: z.boolean().describe("All of it was undone since."),
  streams: z.array(
    z.object({
      stream: z.string(),
      label: z.string(),
      source: z.int().describe("By an independent count."),
      written: z.int(),
      matched: z.int().describe("Existed already, and is linked."),
      skipped: causeCounts,
      failed: causeCounts,
      behind: causeCounts.describe("Written, but not as in the source now."),
      deleted_at_source: z.int(),
      verified: z.object({
        compared: z.int(),
        same: z.int(),
        differs: z.int(),
        gone: z.int(),
        doubled: z.int(),
      }),
    }),
  ),
});

export const changedImport = importSchema.extend({
  changed: z.boolean().describe("False: it was so already, and nothing happened."),
});

export const undoPreviewSchema = z.object({
  import: importSchema,
  looked: z.boolean(),
  streams: z.array(
    z
      .object({
        stream: z.string(),
        label: z.string(),
        copies: z.int(),
        willGo: z.int(),
        willStay: z.int(),
        exact: z.boolean().describe("False: extrapolated from the copies that were looked at."),
      })
      .loose(),
  ),
});

export const linkSchema = z.object({ id: z.string(), redirect_url: z.string() });

export const brandingSchema = z.object({
  color: z.string().nullable(),
  help_url: z.string().nullable(),
  help_email: z.string().nullable(),
  privacy_url: z.string().nullable(),
  return_url: z.string().nullable(),
  embed_origins: z.array(z.string()).describe("The sites that may show the wizard within their pages."),
});

export const partnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  destination_tool: z.string(),
  default_family: z.enum(families).nullable(),
  payer: z.enum(payers),
  full_request_url: z.string().nullable(),
  branding: brandingSchema,
  allowed_source_tools: z.array(z.string()).nullable(),
  archive_after_days: z.int(),
  included_days: z.int(),
  old_links_days: z.int(),
  contact_email: z.string().nullable(),
  suspended_at: time.nullable(),
  created_at: time,
});

export const shownPartner = partnerSchema.extend({
  has_logo: z.boolean(),
  webhook_warning: z
    .string()
    .nullable()
    .describe("What is wrong with its endpoint; null: nothing, or it has none."),
});

const schemeColors = z.object({
  brand: z.string(),
  on_brand: z.string(),
  contrast: z.number().describe("Of text on a button: at least 4.5."),
});

export const brandingPreviewSchema = z.object({
  light: schemeColors,
  dark: schemeColors,
  moved: z
    .array(z.enum(["light", "dark"]))
    .describe("Where the color itself is unreadable, so that another lightness of it is used."),
});

export const tokenSchema = z.object({
  id: z.string(),
  partner_id: z.string(),
  label: z.string(),
  last_characters: z.string(),
  created_at: time,
  revoked_at: time.nullable(),
});

export const webhookSchema = z.object({
  partner_id: z.string(),
  url: z.string(),
  events: z.array(z.string()).nullable(),
  ordered: z.boolean(),
  progress: z.boolean(),
  old_secret_until: time.nullable(),
  failing_since: time.nullable(),
  disabled_at: time.nullable(),
  disabled_because: z.enum(["gone", "no_success", "operator"]).nullable(),
  warning: z.string().nullable(),
  created_at: time,
});

export const shownWebhook = webhookSchema.extend({ waiting: z.int(), held: z.int() });
export const webhookWithSecret = shownWebhook.extend({
  secret: z.string().optional().describe("A new one, shown this once."),
});

export const backlogSchema = z.object({
  partner_id: z.string(),
  waiting: z.int(),
  sending: z.int(),
  held: z.int().describe("Behind an earlier event of their import."),
  oldest_due_at: time.nullable(),
  failing_since: time.nullable(),
  disabled_at: time.nullable(),
  disabled_because: z.string().nullable(),
});

export const toolSchema = z.object({
  name: z.string(),
  label: z.string(),
  families: z.array(z.enum(families)),
  roles: z.array(z.enum(["source", "destination"])),
  enabled: z.boolean(),
  accounts: z.array(account),
});

export const shownTool = toolSchema.extend({
  sign_in: z.string().describe("How customers connect it."),
  oauth_clients: z
    .array(z.object({ origin: z.string(), client_id: z.string() }))
    .describe("Without their secrets."),
  oauth_callback_url: z
    .string()
    .nullable()
    .describe("To register with the tool; null: it has no OAuth sign-in."),
});

export const workersSchema = z.object({
  processes: z.array(
    z.object({
      name: z.string(),
      release: z
        .string()
        .nullable()
        .describe("The version and a hash of its code; null: unknown, as of a command."),
      address: z.string().nullable(),
      sessions: z.int(),
      since: time,
      last_active_at: time.nullable(),
    }),
  ),
  partitions: z.int().describe("Parts of live runs."),
  overdue_partitions: z.int().describe("Those whose lease is over."),
  waiting_effects: z.int().describe("Work that no worker has taken yet."),
  oldest_effect_at: time.nullable(),
});

/** A number for each name, all of which are always there. */
const counts = <const Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<Name, z.ZodInt>);

export const overviewSchema = z.object({
  imports: z.object({
    by_status: counts(statusCodes).describe("Open imports."),
    running: z.int().describe("Imports with a live run."),
    stuck: counts(waitedFor).describe("Stuck imports, by who or what they wait for."),
  }),
  attention: z.array(listedImport).describe("The imports that have been stuck longest."),
  webhooks: z.array(backlogSchema).describe("Partners that are behind, the longest wait first: at most 8."),
  webhooks_behind: z
    .int()
    .describe("How many partners are behind, as `GET /webhooks/backlog?behind=true` lists them."),
  tools: z.array(toolSchema).describe("Tools that are disabled or have accounts in use."),
  workers: workersSchema,
});

export const staffSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(accountRoles),
  partner_id: z.string().nullable().describe("Of the role `partner`."),
  break_glass: z.boolean().describe("For emergencies: its sign-ins are `breakGlassSignIn` in the audit log."),
  disabled_at: time.nullable(),
  created_at: time,
});

export const staffTokenSchema = z.object({
  id: z.string(),
  staff_id: z.string(),
  label: z.string(),
  last_characters: z.string(),
  role: z.enum(staffRoles),
  areas: z.array(z.enum(staffAreas)).nullable(),
  created_at: time,
  expires_at: time,
  revoked_at: time.nullable(),
});

export const sessionSchema = z.object({
  id: z.string(),
  staff_id: z.string(),
  signed_in_by: z.enum(signInMethods),
  address: z.string().describe("From which the person signed in."),
  created_at: time,
  expires_at: time.describe("In any case. UTC."),
  idle_at: time.describe("Without a call. UTC."),
  revoked_at: time.nullable(),
});

export const next = (what: string) =>
  z.string().nullable().describe(`\`${what}\` of the next page; null: this is the last.`);

const minorUnits = z.int().describe("In minor units, such as 34900 for 349.00.");
const currency = z.string();

export const priceBookSchema = z.object({
  id: z.string(),
  partner: z.string().nullable().describe("Null: of all partners without their own."),
  currency,
  packages: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      up_to_records: z.int().nullable().describe("Null: no limit."),
      amount: minorUnits,
    }),
  ),
  counts: z.record(z.string(), z.unknown()),
  quote_days: z.int(),
  refund_days: z.int(),
  created_at: time,
  created_by: z.string(),
  replaced_at: time.nullable(),
});

export const sponsorRulesSchema = z.object({
  rules: z.array(
    z.object({
      name: z.string(),
      up_to_records: z.int().optional(),
      up_to_cost: minorUnits.optional(),
      plan_tag: z.string().optional(),
    }),
  ),
  monthly_budget: minorUnits.nullable(),
  currency,
});

export const invoiceSchema = z.object({
  partner: z.string(),
  month: z.string(),
  lines: z.array(
    z.object({
      at: time,
      kind: z.enum(["charge", "credit"]),
      import: z.string(),
      reference: z.string().nullable(),
      records: z.int().nullable(),
      package: z.string().nullable(),
      amount: minorUnits,
      currency,
    }),
  ),
  totals: z.array(z.object({ currency, amount: minorUnits })),
});

export const refundSchema = z.object({
  id: z.string(),
  checkout: z.string(),
  amount: minorUnits,
  reason: z.string(),
  state: z.string(),
  attempts: z.int(),
  done_at: time.nullable(),
});

export const disputeSchema = z.object({
  id: z.string(),
  provider: z.string(),
  import: z.string(),
  checkout: z.string(),
  state: z.string(),
  reason: z.string(),
  amount: minorUnits,
  currency,
  withdrawn: minorUnits,
  opened_at: time,
  changed_at: time,
});

export const rulesPreviewSchema = z.object({
  imports: z.int().describe("With a quote in this time."),
  accepted: z.int(),
  cost: z.int(),
  currency: z.string(),
  by_rule: z.array(z.object({ rule: z.string(), accepted: z.int(), cost: z.int() })),
  left: z
    .object({ no_rule_fits: z.int(), over_budget: z.int(), other_currency: z.int() })
    .describe("Those that the partner would have been asked about, by the reason."),
});

export const importBillingSchema = z.object({
  quote: z
    .object({
      id: z.string(),
      price_book: z.string(),
      records: z.int(),
      package: z.string(),
      amount: minorUnits,
      currency,
      made_at: time,
      valid_until: time,
    })
    .nullable(),
  decisions: z.array(
    z.object({
      at: time,
      decision: z.string(),
      by: z.string(),
      rule: z.string().nullable(),
      records: z.int().nullable().describe("Of the quote at that time."),
      cost: minorUnits.nullable(),
      currency: currency.nullable(),
    }),
  ),
  checkouts: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      state: z.string(),
      amount: minorUnits,
      currency,
      tax: minorUnits.nullable(),
      created_at: time,
      paid_at: time.nullable(),
    }),
  ),
  refunds: z.array(refundSchema),
  disputes: z.array(disputeSchema),
  entries: z.array(
    z.object({
      at: time,
      kind: z.string(),
      reference: z.string(),
      account: z.string(),
      amount: minorUnits,
      currency,
      by: z.string(),
    }),
  ),
});

export const ledgerSchema = z.object({
  balances: z.array(z.object({ account: z.string(), currency, amount: minorUnits })),
  entries: importBillingSchema.shape.entries.describe("Of an import, oldest first."),
});

export const storageSchema = z.object({
  database_bytes: z.number(),
  tables: z.array(z.object({ table: z.string(), bytes: z.number(), rows: z.number() })),
});

export const retentionSchema = z.object({
  last_run_at: time.nullable(),
  tables: z.array(
    z.object({
      table: z.string(),
      kept: z.string(),
      at_erasure: z.enum(["deleted", "cleared", "kept", "none"]),
    }),
  ),
});

// Which files of the repository are pages of the site, by reader and in reading order.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface SitePage {
  /** The file, from the root of the repository. */
  readonly source: string;
  /** The address under /docs; "index" is /docs itself. */
  readonly slug: string;
  /** The name in the navigation. */
  readonly label: string;
}

export interface SiteSection {
  readonly label: string;
  readonly pages: readonly SitePage[];
}

const page = (source: string, slug: string, label: string): SitePage => ({ source, slug, label });

export const home = page("docs/README.md", "index", "Start here");

const sections: readonly SiteSection[] = [
  {
    label: "Partners",
    pages: [
      page("docs/first-integration.md", "partners/first-integration", "First integration"),
      page("docs/partners/concepts.md", "partners/concepts", "Concepts"),
      page("docs/import-states.md", "partners/statuses", "Statuses"),
      page("docs/billing.md", "partners/billing", "Sponsorship and billing"),
      page("docs/webhooks.md", "partners/webhooks", "Webhooks"),
      page("docs/simulator.md", "partners/simulator", "Simulator"),
      page("sdk/README.md", "partners/sdk", "SDK"),
      page("docs/partners/files.md", "partners/files", "Hand over files"),
      page("docs/partners/errors.md", "partners/errors", "Errors, limits, idempotency"),
      page("docs/partners/going-live.md", "partners/going-live", "Going live"),
      page("docs/glossary.md", "partners/glossary", "Glossary"),
    ],
  },
  {
    label: "Customers' helpers",
    pages: [
      page("docs/customers/a-move.md", "customers/a-move", "What the customer sees"),
      page("docs/customers/choose.md", "customers/choose", "Choose what moves, and when"),
      page("docs/customers/files.md", "customers/files", "Files in place of a tool"),
      page("docs/customers/undo.md", "customers/undo", "Undo"),
      page("docs/customers/read-the-report.md", "customers/read-the-report", "Read the report"),
      page("docs/customers/old-links.md", "customers/old-links", "Old links keep working"),
      page("docs/check-a-report.md", "customers/check-a-report", "Check a signed report"),
      page("docs/languages.md", "customers/languages", "Languages"),
    ],
  },
  {
    label: "Operators",
    pages: [
      page("docs/operators/install.md", "operators/install", "Install"),
      page("docs/operators/kubernetes.md", "operators/kubernetes", "Kubernetes"),
      page("docs/operators/configuration.md", "operators/configuration", "Configuration"),
      page("docs/operators/daily-work.md", "operators/daily-work", "Daily work"),
      page("docs/operators/keys.md", "operators/keys", "Keys"),
      page("docs/operators/database-roles.md", "operators/database-roles", "Database roles"),
      page("docs/operators/silence.md", "operators/silence", "Measure silence"),
      page("docs/operators/metrics.md", "operators/metrics", "Metrics"),
      page("docs/operators/commands.md", "operators/commands", "Commands"),
      page("docs/operators/staff.md", "operators/staff", "Operate with people"),
      page("docs/operators/console.md", "operators/console", "Console"),
      page("docs/operators/operator-api.md", "operators/operator-api", "Operator API"),
      page("docs/operators/upgrade.md", "operators/upgrade", "Upgrade"),
      page("docs/operators/failover.md", "operators/failover", "Failover"),
      page("docs/operators/backup.md", "operators/backup", "Backup and restore"),
      page("docs/retention.md", "operators/retention", "Retention and erasure"),
      page("docs/operators/scale.md", "operators/scale", "Scale"),
    ],
  },
  {
    label: "Runbooks",
    pages: [
      page("docs/operators/runbooks/process-down.md", "operators/runbooks/process-down", "Process down"),
      page("docs/operators/runbooks/api-errors.md", "operators/runbooks/api-errors", "API errors"),
      page("docs/operators/runbooks/api-slow.md", "operators/runbooks/api-slow", "API slow"),
      page(
        "docs/operators/runbooks/pool-exhausted.md",
        "operators/runbooks/pool-exhausted",
        "Pool exhausted",
      ),
      page(
        "docs/operators/runbooks/queue-metrics-stale.md",
        "operators/runbooks/queue-metrics-stale",
        "Queue metrics stale",
      ),
      page(
        "docs/operators/runbooks/worker-not-registered.md",
        "operators/runbooks/worker-not-registered",
        "Worker not registered",
      ),
      page("docs/operators/runbooks/outbox-stuck.md", "operators/runbooks/outbox-stuck", "Outbox stuck"),
      page(
        "docs/operators/runbooks/partitions-overdue.md",
        "operators/runbooks/partitions-overdue",
        "Partitions overdue",
      ),
      page(
        "docs/operators/runbooks/partition-failing.md",
        "operators/runbooks/partition-failing",
        "Partition failing",
      ),
      page("docs/operators/runbooks/chunks-fail.md", "operators/runbooks/chunks-fail", "Chunks fail"),
      page("docs/operators/runbooks/runs-failed.md", "operators/runbooks/runs-failed", "Runs failed"),
      page(
        "docs/operators/runbooks/records-in-doubt.md",
        "operators/runbooks/records-in-doubt",
        "Records in doubt",
      ),
      page(
        "docs/operators/runbooks/verification-differences.md",
        "operators/runbooks/verification-differences",
        "Verification differences",
      ),
      page("docs/operators/runbooks/tool-failing.md", "operators/runbooks/tool-failing", "Tool failing"),
      page("docs/operators/runbooks/webhooks-late.md", "operators/runbooks/webhooks-late", "Webhooks late"),
      page(
        "docs/operators/runbooks/webhooks-failing.md",
        "operators/runbooks/webhooks-failing",
        "Webhooks failing",
      ),
      page(
        "docs/operators/runbooks/webhook-target-disabled.md",
        "operators/runbooks/webhook-target-disabled",
        "Webhook target disabled",
      ),
      page("docs/operators/runbooks/mails-late.md", "operators/runbooks/mails-late", "Mails late"),
      page(
        "docs/operators/runbooks/payments-overdue.md",
        "operators/runbooks/payments-overdue",
        "Payments overdue",
      ),
      page(
        "docs/operators/runbooks/retention-late.md",
        "operators/runbooks/retention-late",
        "Retention late",
      ),
      page(
        "docs/operators/runbooks/break-glass-sign-in.md",
        "operators/runbooks/break-glass-sign-in",
        "Break-glass sign-in",
      ),
    ],
  },
  {
    label: "Connector authors",
    pages: [
      page("docs/write-a-connector.md", "connectors/write-a-connector", "Write a connector"),
      page("docs/connectors/interface.md", "connectors/interface", "Interface"),
      page("docs/connectors/stand-in.md", "connectors/stand-in", "The stand-in tool"),
      page("docs/connectors/vendors.md", "connectors/vendors", "What is known of vendors"),
    ],
  },
  {
    label: "Architecture",
    pages: [
      page("docs/architecture/components.md", "architecture/components", "Components"),
      page("docs/architecture/layers.md", "architecture/layers", "Layers"),
      page("docs/architecture/a-run.md", "architecture/a-run", "A run"),
      page("docs/architecture/exactly-once.md", "architecture/exactly-once", "Copying exactly once"),
    ],
  },
];

/** Files of docs/ that are for people who work on this repository. */
export const notOnTheSite: readonly string[] = ["docs/proofs/README.md"];

/** The first heading of a Markdown file. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? "";

const decisionsSlug = "architecture/decisions";

/** Every architecture decision record is a page; their files say what they are called. */
const decisionPages = (root: string): readonly SitePage[] =>
  globSync("docs/adr/[0-9]*.md", { cwd: root })
    .toSorted()
    .map((source) =>
      page(
        source,
        `${decisionsSlug}/${basename(source, ".md")}`,
        titleOf(readFileSync(join(root, source), "utf8")),
      ),
    );

/** Every tool has a page, which its connector makes. */
const toolPages = (root: string): readonly SitePage[] =>
  globSync("docs/tools/*.md", { cwd: root })
    .toSorted()
    .map((source) =>
      page(source, `tools/${basename(source, ".md")}`, titleOf(readFileSync(join(root, source), "utf8"))),
    );

export const siteSections = (root: string): readonly SiteSection[] => [
  ...sections,
  { label: "Tools", pages: toolPages(root) },
  {
    label: "Decisions",
    pages: [page("docs/adr/README.md", decisionsSlug, "All decisions"), ...decisionPages(root)],
  },
];

export const sitePages = (root: string): readonly SitePage[] => [
  home,
  ...siteSections(root).flatMap(({ pages }) => pages),
];

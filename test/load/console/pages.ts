import { families, statusCodes } from "@portage/contract";
import { waitedFor } from "@portage/contract/operator";
import type { Database } from "../../../server/src/platform/db.ts";

/** What the pages are opened for. */
export interface Samples {
  /** Imports that have run, newest first, live ones among them. */
  readonly imports: readonly string[];
  readonly reported: readonly string[];
  readonly open: readonly string[];
  readonly partners: readonly string[];
  readonly people: readonly string[];
  readonly reference: string;
  readonly username: string;
}

/** A page of the console: the calls that it makes at once, and how many further pages of its list an operator reads. */
export interface ConsolePage {
  readonly name: string;
  calls(samples: Samples, draw: <T>(from: readonly T[]) => T): readonly string[];
  readonly further?: number;
}

const imports = (query: string) => [`/imports?${query}${query === "" ? "" : "&"}limit=50`];
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const list = (name: string, query: string, further = 0): ConsolePage => ({
  name: `imports: ${name}`,
  calls: () => imports(query),
  further,
});

/** Every page, with every filter that it has. */
export const consolePages: readonly ConsolePage[] = [
  { name: "first load", calls: () => ["/session", "/partners?limit=200", "/tools"] },
  { name: "overview", calls: () => ["/overview"] },
  list("all", "", 4),
  ...statusCodes.map((status) => list(status, `status=${status}`, 1)),
  ...families.map((family) => list(family, `family=${family}`, 1)),
  ...waitedFor.map((who) => list(`waits for ${who}`, `waits_for=${who}`)),
  list("stuck", "stuck=true", 2),
  list("not stuck", "stuck=false", 2),
  list("running", "running=true", 2),
  list("not running", "running=false", 2),
  list("open", "closed=false", 2),
  list("closed", "closed=true", 2),
  list("of a common tool", "tool=zendesk", 2),
  list("of a rare tool", "tool=intercom", 2),
  list("of a tool without imports", "tool=csv"),
  list("old", `created_until=${daysAgo(200)}`, 2),
  list("of a week", `created_since=${daysAgo(100)}&created_until=${daysAgo(93)}`, 2),
  list("new", `created_since=${daysAgo(1)}`, 1),
  list("open and rare", "family=content&status=in_preparation&closed=false"),
  list("of a tool, running", "tool=intercom&running=true"),
  list("old ones that are open", `closed=false&created_until=${daysAgo(200)}`, 1),
  {
    name: "imports: of a partner",
    calls: ({ partners }, draw) => imports(`partner=${draw(partners)}`),
    further: 2,
  },
  {
    name: "imports: of a partner, by status",
    calls: ({ partners }, draw) => imports(`partner=${draw(partners)}&status=migration_in_progress`),
  },
  {
    name: "imports: of a partner, by tool and family",
    calls: ({ partners }, draw) => imports(`partner=${draw(partners)}&tool=intercom&family=content`),
  },
  {
    name: "imports: by reference",
    calls: ({ reference }) => imports(`reference=${reference}`),
  },
  {
    name: "imports: by text",
    calls: ({ username }) => imports(`text=${encodeURIComponent(username)}`),
  },
  {
    name: "imports: by username",
    calls: ({ username }) => imports(`destination_username=${encodeURIComponent(username)}`),
  },
  { name: "import", calls: (samples, draw) => [`/imports/${draw(samples.imports)}`] },
  { name: "report", calls: ({ reported }, draw) => [`/imports/${draw(reported)}/report`] },
  {
    name: "records",
    calls: ({ reported }, draw) => [`/imports/${draw(reported)}/records?limit=100&state=failed`],
    further: 1,
  },
  { name: "undo preview", calls: ({ reported }, draw) => [`/imports/${draw(reported)}/undo-preview`] },
  { name: "link", calls: ({ open }, draw) => [`/imports/${draw(open)}/link`] },
  { name: "partners", calls: () => ["/partners?limit=50"], further: 2 },
  {
    name: "partner",
    calls: ({ partners }, draw) => {
      const at = `/partners/${draw(partners)}`;
      return [at, `${at}/tokens`, `${at}/webhook`, `${at}/webhook/deliveries?limit=20`, `${at}/branding`];
    },
  },
  {
    name: "partner: deliveries of an import",
    calls: ({ partners, imports: ids }, draw) => [
      `/partners/${draw(partners)}/webhook/deliveries?limit=20&import_id=${draw(ids)}`,
    ],
  },
  { name: "branding", calls: () => ["/branding-preview?color=%230b6580"] },
  { name: "tools", calls: () => ["/tools"] },
  { name: "webhooks", calls: () => ["/webhooks/backlog?limit=200", "/webhooks?limit=50"] },
  { name: "workers", calls: () => ["/workers"] },
  { name: "audit: changes", calls: () => ["/audit?limit=50&changes=true"], further: 3 },
  { name: "audit: all", calls: () => ["/audit?limit=50"], further: 3 },
  {
    name: "audit: of an import",
    calls: (samples, draw) => [`/audit?limit=50&target=${draw(samples.imports)}`],
  },
  { name: "audit: of a person", calls: ({ people }, draw) => [`/audit?limit=50&staff=${draw(people)}`] },
  {
    name: "audit: a person's changes",
    calls: ({ people }, draw) => [`/audit?limit=50&changes=true&staff=${draw(people)}`],
    further: 1,
  },
  { name: "audit: by action", calls: () => ["/audit?limit=50&action=setWebhook"], further: 1 },
  {
    name: "audit: of a day",
    calls: () => [`/audit?limit=50&since=${daysAgo(200)}&until=${daysAgo(199)}`],
    further: 1,
  },
  {
    name: "audit: changes of a day",
    calls: () => [`/audit?limit=50&changes=true&since=${daysAgo(200)}&until=${daysAgo(199)}`],
  },
  { name: "staff", calls: () => ["/staff?limit=50"], further: 1 },
  {
    name: "person",
    calls: ({ people }, draw) => {
      const at = `/staff/${draw(people)}`;
      return [at, `${at}/sessions`, `${at}/tokens`];
    },
  },
  { name: "import: money", calls: ({ reported }, draw) => [`/imports/${draw(reported)}/billing`] },
  {
    name: "partner: money",
    calls: ({ partners }, draw) => {
      const at = `/partners/${draw(partners)}`;
      return [
        `${at}/sponsor-rules`,
        `${at}/price-book`,
        `${at}/invoice?month=${new Date().toISOString().slice(0, 7)}`,
      ];
    },
  },
  {
    // That of all partners adds up every entry, and says so.
    name: "ledger",
    calls: ({ partners, reported }, draw) => [
      `/ledger?partner=${draw(partners)}`,
      `/ledger?import=${draw(reported)}`,
    ],
  },
  { name: "price books", calls: () => ["/price-books?limit=50"] },
  { name: "disputes", calls: () => ["/disputes?limit=50", "/disputes?limit=50&undecided=true"] },
  { name: "OAuth clients", calls: () => ["/tools/zendesk/oauth-clients"] },
  { name: "storage", calls: () => ["/storage"] },
  { name: "retention", calls: () => ["/retention"] },
];

const idsOf = async (db: Database, text: string) =>
  (await db.pool.query<{ id: string }>(text)).rows.map(({ id }) => id);

export const drawSamples = async (db: Database): Promise<Samples> => {
  const { rows } = await db.pool.query<{ reference: string; username: string }>(
    `select reference, destination_username as username from imports where reference is not null order by id limit 1 offset 400`,
  );
  const live = await idsOf(db, "select id from imports where live_run is not null order by id desc limit 60");
  const done = await idsOf(
    db,
    "select id from imports where status = 'migration_completed' order by id desc limit 60",
  );
  const [named] = rows;
  if (!named || done.length === 0) throw new Error("Too little was filled.");
  return {
    imports: [...live, ...done],
    reported: done,
    open: await idsOf(db, "select id from imports where closed is null order by id desc limit 60"),
    // The largest, those with held events, and small ones.
    partners: await idsOf(
      db,
      `(select id from partners order by id limit 3) union (select partner_id from webhook_targets where disabled_at is not null limit 3)
       union (select id from partners order by id desc limit 3)`,
    ),
    people: await idsOf(db, "select id from staff order by id limit 10"),
    ...named,
  };
};

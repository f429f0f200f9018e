import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { givenCheckout, givenQuote } from "../../../test/stripe/given-checkout.ts";
import { type Person, useOperatorApi } from "../../../test/support/operator-api.ts";
import { patienceMs } from "../../../test/support/patience.ts";
import { createProgram } from "../../../test/support/program.ts";
import { createManual } from "../features/payment-providers/index.ts";
import { reissueLink } from "../features/imports/index.ts";
import { insertPartner, newPartner } from "../features/partners/index.ts";
import type { Role } from "../features/staff/index.ts";
import { operatorBase } from "../http/operator/base.ts";
import { newId } from "../platform/ids.ts";
import { saveToken } from "./commands/operator-client.ts";

const api = useOperatorApi();
const folder = mkdtempSync(join(tmpdir(), "portage-client-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command line of a person who is signed in, and has neither the database nor the keys. */
const signIn = async (role: Role) => {
  const person = await api.person(role);
  const home = join(folder, person.id);
  await saveToken({ XDG_CONFIG_HOME: home }, api.origin, person.token);
  const env = { XDG_CONFIG_HOME: home, PORTAGE_OPERATOR_URL: api.origin };
  return { person, ...createProgram(() => env) };
};

let admin: Awaited<ReturnType<typeof signIn>>;
let viewer: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  [admin, viewer] = await Promise.all([signIn("admin"), signIn("viewer")]);
});

/** The changes that the audit log has of this person, without those before. */
const changesOf = async ({ id }: Person, work: () => Promise<unknown>) => {
  const { rows: before } = await api.db.pool.query<{ seq: string }>(
    "select coalesce(max(seq), 0) as seq from staff_audit",
  );
  await work();
  const { rows } = await api.db.pool.query<{ action: string; outcome: string }>(
    "select * from staff_audit where seq > $1 and changes and staff_id = $2 and machine_user is null order by seq",
    [before[0]?.seq, id],
  );
  expect(JSON.stringify(rows)).not.toMatch(/ptg_live_|ptg_staff_|whsec_|top-secret/);
  return rows.map(({ action, outcome }) => [action, outcome]);
};

/** A person who may not do this is told so, and the log has the attempt. */
const refused = async (action: string, ...words: readonly string[]) => {
  const changes = await changesOf(viewer.person, async () => {
    const ran = await viewer.withStdin("{}", ...words);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(
      /^This needs the role (operator|admin); yours is viewer\. \(request [0-9a-f-]+\)\n$/,
    );
  });
  expect(changes).toEqual([[action, "forbidden"]]);
};

const done = (...actions: readonly string[]) => actions.map((action) => [action, "done"]);

interface Made {
  readonly id: string;
  readonly [name: string]: unknown;
}

const create = ["partner", "create", "--name", "Acme", "--destination-tool", "redmine"] as const;

describe("through the operator API", { timeout: patienceMs }, () => {
  test("partners: every setting, the logo included, and what is left out stays", async () => {
    const logo = join(folder, "logo.svg");
    // Larger than other bodies may be.
    writeFileSync(logo, `<svg xmlns="http://www.w3.org/2000/svg"><!--${"x".repeat(200_000)}--></svg>`);
    const changes = await changesOf(admin.person, async () => {
      const made = await admin.json<Made>(
        ...create,
        "--logo",
        logo,
        "--help-url",
        "https://a.example/h",
        "--allow-tool",
        "redmine",
      );
      expect(made).toMatchObject({ has_logo: true, allowed_source_tools: ["redmine"] });
      const changed = await admin.json<Made>("partner", "update", made.id, "--color", "#1d4ed8");
      expect(changed).toMatchObject({
        has_logo: true,
        branding: { color: "#1d4ed8", help_url: "https://a.example/h", embed_origins: [] },
      });
      expect(await admin.json("partner", "update", made.id, "--logo", "", "--help-url", "")).toMatchObject({
        has_logo: false,
        branding: { color: "#1d4ed8", help_url: null },
      });
      await admin.json("partner", "suspend", made.id);
      const shown = await admin.run("partner", "show", made.id);
      expect(shown.stdout).toMatch(/^suspended +\d{4}-\d{2}-\d{2} /m);
      expect(await viewer.json("partner", "resume", made.id).catch(() => "refused")).toBe("refused");
      await admin.json("partner", "resume", made.id);
      expect((await viewer.run("partner", "list", "--limit", "1000")).stdout).toContain(made.id);
    });
    expect(changes).toEqual(
      done("createPartner", "updatePartner", "updatePartner", "suspendPartner", "resumePartner"),
    );
    await refused("createPartner", ...create);
  });

  test("partners: mistakes are named by their options", async () => {
    const made = await admin.json<Made>(...create);
    const wrong = await admin.run(
      "partner",
      "update",
      made.id,
      "--payer",
      "me",
      "--help-url",
      "x",
      "--embed-origin",
      "*",
    );
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    for (const option of ["--payer", "--help-url", "--embed-origin"])
      expect(wrong.stderr).toMatch(new RegExp(`^${option} must be`, "m"));
    expect(await admin.run("partner", "show", "prt_nobody")).toEqual({
      code: 1,
      stdout: "",
      stderr: "There is no partner prt_nobody.\nRun: portage partner list\n",
    });
  });

  test("partners: lists go on over the pages of the API", async () => {
    const settings = { ...newPartner, name: "Many", destinationTool: "redmine" };
    for (let n = 0; n < 230; n++) await insertPartner(api.db, newId("prt"), settings);
    const { partners, next } = await admin.json<{ partners: Made[]; next: string }>(
      "partner",
      "list",
      "--limit",
      "210",
    );
    expect(new Set(partners.map(({ id }) => id)).size).toBe(210);
    const rest = await admin.json<{ partners: Made[]; next: null }>(
      "partner",
      "list",
      "--limit",
      "210",
      "--after",
      next,
    );
    expect(rest.partners.length).toBeGreaterThanOrEqual(20);
    expect(rest.next).toBeNull();
  });

  test("tokens: shown once, listed and revoked", async () => {
    const { id } = await admin.json<Made>(...create);
    const changes = await changesOf(admin.person, async () => {
      const issued = await admin.json<Made>("token", "issue", id, "--label", "ci");
      expect(issued["token"]).toMatch(/^ptg_live_/);
      const listed = await admin.run("token", "list", id);
      expect(listed.stdout).toContain("ci");
      expect(listed.stdout).not.toContain("ptg_live_");
      expect((await admin.run("token", "revoke", issued.id)).stdout).toContain("was revoked at");
      const live = await admin.run("token", "revoke", String(issued["token"]));
      expect(live).toMatchObject({ code: 1, stderr: expect.stringContaining("not a token id") as string });
      expect(live.stderr).not.toContain("ptg_live_");
      expect(await admin.run("token", "issue", id, "--label", " ")).toEqual({
        code: 2,
        stdout: "",
        stderr: "--label can't be blank\n",
      });
    });
    expect(changes).toEqual([...done("issueToken", "revokeToken"), ["issueToken", "invalid"]]);
    await refused("issueToken", "token", "issue", id, "--label", "ci");
  });

  test("webhooks: endpoint, secrets, list and replay", async () => {
    const { id } = await admin.json<Made>(...create);
    const none = await admin.run("webhook", "show", id);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("portage webhook set") as string });
    const url = "http://127.0.0.1:9/hook";
    const changes = await changesOf(admin.person, async () => {
      const made = await admin.json<Made>("webhook", "set", id, "--url", url);
      expect(made).toMatchObject({ url, secret: expect.stringMatching(/^whsec_/) as string, waiting: 0 });
      const own = await admin.withStdin("top-secret", "webhook", "rotate", id, "--secret-stdin");
      expect(own.code).toBe(0);
      expect(own.stdout + own.stderr).not.toMatch(/top-secret|whsec_/);
      expect((await admin.run("webhook", "rotate", id)).stderr).toContain("--immediately");
      const changed = await admin.withStdin(
        "top-secret",
        "webhook",
        "set",
        id,
        "--no-ordered",
        "--event",
        "import.closed",
        "--secret-stdin",
        "--json",
      );
      expect(JSON.parse(changed.stdout)).toMatchObject({ url, ordered: false, old_secret_until: null });
      expect((await admin.run("webhook", "list", "--limit", "1000")).stdout).toContain(id);
      await admin.json("webhook", "disable", id);
      const replay = ["webhook", "replay", id, "--since", "2026-01-01T00:00:00Z"] as const;
      expect((await admin.run(...replay)).stderr).toMatch(/^The endpoint is disabled .*\nRun: .* enable/);
      await admin.json("webhook", "enable", id);
      expect(await admin.json(...replay)).toEqual({ replayed: 0 });
    });
    expect(changes).toEqual([
      ...done("setWebhook", "rotateWebhookSecret"),
      ["rotateWebhookSecret", "conflict"],
      ...done("setWebhook", "disableWebhook"),
      ["replayEvents", "conflict"],
      ...done("enableWebhook", "replayEvents"),
    ]);
    const hidden = await admin.run("webhook", "set", id, "--url", "http://10.0.0.1/");
    expect(hidden).toMatchObject({ code: 2, stderr: expect.stringContaining("WEBHOOK_ALLOW") as string });
    await refused("setWebhook", "webhook", "set", id, "--url", url);
  });

  test("tools: on and off, and OAuth clients", async () => {
    const set = ["tool", "set-oauth-client", "zendesk", "--client-id", "c1", "--origin", "https://a.example"];
    const changes = await changesOf(admin.person, async () => {
      expect(await admin.json("tool", "disable", "redmine")).toMatchObject({ enabled: false });
      expect(await admin.json("tool", "enable", "redmine")).toMatchObject({ enabled: true });
      const client = await admin.withStdin("top-secret", ...set, "--json");
      expect(JSON.parse(client.stdout)).toMatchObject({
        oauth_clients: [{ origin: "https://a.example", client_id: "c1" }],
      });
      const cleared = await admin.json(
        "tool",
        "clear-oauth-client",
        "zendesk",
        "--origin",
        "https://a.example",
      );
      expect(cleared).toMatchObject({ oauth_clients: [] });
      expect((await viewer.run("tool", "list")).stdout).toMatch(/^redmine .* yes$/m);
      expect((await admin.run("tool", "enable", "none")).stderr).toContain("portage tool list");
    });
    expect(changes).toEqual([
      ...done("disableTool", "enableTool", "setOAuthClient", "clearOAuthClient"),
      ["enableTool", "not_found"],
    ]);
    await refused("disableTool", "tool", "disable", "redmine");
  });

  test("staff: people, invitations and tokens", async () => {
    const add = [
      "staff",
      "add",
      "--name",
      "Kim",
      "--email",
      "kim@acme.example",
      "--role",
      "operator",
    ] as const;
    const changes = await changesOf(admin.person, async () => {
      const kim = await admin.json<Made>(...add);
      expect(await admin.run(...add)).toMatchObject({
        code: 1,
        stderr: "Another person has this email address.\nRun: portage staff list\n",
      });
      expect(await admin.json("staff", "invite", kim.id)).toMatchObject({
        url: expect.stringContaining("/console/enrol#") as string,
      });
      const issued = await admin.json<Made>(
        "staff",
        "token",
        "new",
        kim.id,
        "--label",
        "x",
        "--area",
        "imports",
      );
      expect(issued).toMatchObject({
        role: "operator",
        areas: ["imports"],
        token: expect.any(String) as string,
      });
      expect((await admin.run("staff", "token", "list", kim.id)).stdout).toContain("imports");
      await admin.json("staff", "token", "revoke", issued.id);
      await admin.json("staff", "disable", kim.id);
      const late = await admin.run("staff", "token", "new", kim.id, "--label", "x");
      expect(late.stderr).toBe(`${kim.id} is disabled.\nRun: portage staff enable ${kim.id}\n`);
      await admin.json("staff", "enable", kim.id);
      expect((await admin.run("staff", "list")).stdout).toContain("kim@acme.example");
      expect(await admin.json("staff", "role", kim.id, "viewer")).toMatchObject({ role: "viewer" });
      expect(await admin.run("staff", "role", kim.id, "boss")).toMatchObject({
        code: 2,
        stderr: "The role must be one of viewer, operator, admin\n",
      });
      expect((await admin.run("staff", "role", "stf_none", "viewer")).stderr).toContain("portage staff list");
      expect((await admin.run("staff", "disable", admin.person.id)).stderr).toContain("your own account");
      const wrong = await admin.run("staff", "token", "new", kim.id, "--label", "x", "--area", "all");
      expect(wrong).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^--area must be among/) as string,
      });
    });
    expect(changes).toEqual([
      ["addStaff", "done"],
      ["addStaff", "conflict"],
      ...done("inviteStaff", "issueStaffToken", "revokeStaffToken", "disableStaff"),
      ["issueStaffToken", "conflict"],
      ["enableStaff", "done"],
      ["setStaffRole", "done"],
      ["setStaffRole", "invalid"],
      ["setStaffRole", "not_found"],
      ["disableStaff", "conflict"],
      ["issueStaffToken", "invalid"],
    ]);
    await refused("addStaff", ...add);
  });

  test("billing: price books, sponsor rules, payments, refunds and invoices", async () => {
    const book = {
      currency: "usd",
      packages: [{ id: "large", name: "Large", upToRecords: null, amount: 79_000 }],
      quoteDays: 14,
      refundDays: 30,
    };
    const rules = { rules: [{ name: "small", upToRecords: 100 }], monthlyBudget: 5_000, currency: "usd" };
    const quoted = await givenQuote(api.db, api.sealer);
    const { importId } = quoted;
    await reissueLink(api.db, api.sealer, importId);
    await givenCheckout(api.db, createManual(), quoted);
    const { id } = await admin.json<Made>(...create);
    const changes = await changesOf(admin.person, async () => {
      const own = await admin.give<Made>(book, "billing", "book", "set", "--partner", id);
      expect(own).toMatchObject({ partner: id, packages: [{ upToRecords: null, amount: 79_000 }] });
      expect(await admin.json("billing", "book", "show", id)).toMatchObject({ id: own.id });
      expect((await viewer.run("billing", "book", "list", "--partner", id)).stdout).toContain(own.id);
      await admin.give(rules, "billing", "sponsor-rules", "set", id);
      expect(await admin.json("billing", "sponsor-rules", "show", id)).toEqual({ partner: id, ...rules });
      expect(await admin.json("billing", "quote", importId)).toMatchObject({
        quote: { import: importId, amount: 14_900 },
        decisions: [],
      });
      expect(await admin.json("billing", "mark-paid", importId)).toMatchObject({ settled: "bought" });
      const { refunds } = await admin.json<{ refunds: Made[] }>("billing", "refund", importId);
      const paidOut = await admin.json("billing", "refund", importId, "--done", refunds[0]?.id ?? "");
      expect(paidOut).toMatchObject({ import: importId, refunds: [{ state: "done" }] });
      expect((await admin.run("billing", "invoice", id, "--month", "2026-11", "--csv")).stdout).toMatch(
        /^date,kind,import/,
      );
      expect(await admin.json("billing", "disputes", "--import", importId)).toEqual({
        disputes: [],
        next: null,
      });
    });
    expect(changes).toEqual(done("setPriceBook", "setSponsorRules", "markPaid", "refund", "refund"));
    await refused("refund", "billing", "refund", importId);
    const { lines } = await viewer.json<{ lines: object[] }>("billing", "ledger", "--import", importId);
    expect(lines).toContainEqual(expect.objectContaining({ account: "at_provider", amount: 14_900 }));
    const { balances } = await viewer.json<{ balances: { amount: number }[] }>("billing", "ledger");
    expect(balances.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
    const preview = ["billing", "sponsor-rules", "preview", id] as const;
    const nothing = { imports: 0, accepted: 0, cost: 0, currency: "usd" };
    expect(await viewer.json(...preview)).toMatchObject({
      ...nothing,
      days: 30,
      byRule: [{ rule: "small", accepted: 0, cost: 0 }],
    });
    const tried = { ...rules, currency: "eur", rules: [{ name: "tiny ones & 10 %", upToRecords: 10 }] };
    expect(await viewer.give(tried, ...preview, "--stdin")).toMatchObject({
      currency: "eur",
      byRule: [{ rule: "tiny ones & 10 %" }],
    });
    // More than an address holds.
    const many = Array.from({ length: 50 }, (_, n) => ({
      name: `${"規則".repeat(35)} ${n}`,
      upToRecords: n + 1,
    }));
    const all = await viewer.give<{ byRule: object[] }>({ ...rules, rules: many }, ...preview, "--stdin");
    expect(all.byRule).toHaveLength(50);
    const misspelled = await api.ask(viewer.person, {
      method: "POST",
      path: `${operatorBase}/partners/${id}/sponsor-rules/preview`,
      body: { rules: { rules: [{ name: "all" }], monthlyBudget: 0, currency: "usd" } },
    });
    expect(misspelled).toMatchObject({
      status: 422,
      text: expect.stringContaining("monthlyBudget") as string,
    });
  });

  test("billing: a quote for a number of records, which the old tool could not count", async () => {
    const { id, partnerId } = await api.givenImport();
    const quote = ["billing", "quote", id, "--records", "5"] as const;
    const none = await admin.run(...quote);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("nothing is for sale");
    const book = { currency: "usd", packages: [{ id: "s", name: "S", upToRecords: 10, amount: 4_900 }] };
    await admin.give(book, "billing", "book", "set", "--partner", partnerId);
    const changes = await changesOf(admin.person, async () => {
      expect(await admin.json(...quote)).toMatchObject({ quote: { import: id, records: 5, amount: 4_900 } });
    });
    expect(changes).toEqual(done("fixQuote"));
    const { id: other, partnerId: another } = await api.givenImport();
    await admin.give(book, "billing", "book", "set", "--partner", another);
    const large = await admin.run("billing", "quote", other, "--records", "11");
    expect(large.stderr).toContain("No package covers this many records.");
    await refused("fixQuote", ...quote);
  });

  test("a customer is erased in all imports at once", async () => {
    const { id } = await api.givenImport([{ type: "cancelled" }]);
    const name = `erased-${id}`;
    await api.db.pool.query("update imports set username_key = $2 where id = $1", [id, name]);
    const erase = ["import", "erase", "--destination-username", name] as const;
    await refused("eraseCustomer", ...erase);
    const changes = await changesOf(admin.person, async () => {
      expect(await admin.json(...erase, "--reason", "Asked by mail")).toMatchObject({
        receipts: [{ receipt: { import: id } }],
      });
    });
    // Of the call, and of its only import.
    expect(changes).toEqual(done("eraseCustomer", "eraseCustomer"));
    expect((await admin.run(...erase)).stdout).toContain("nothing was erased");
  });

  test("retention: periods, and a run by a worker", async () => {
    const { id } = await admin.json<Made>(...create);
    const changes = await changesOf(admin.person, async () => {
      const set = ["retention", "set", id, "--archive-after-days", "7"] as const;
      expect(await admin.json(...set)).toEqual({ id, name: "Acme", archive_after_days: 7 });
      expect(await viewer.json("retention", "show", id)).toMatchObject({
        partners: [{ id, archive_after_days: 7 }],
        next: null,
      });
      expect((await admin.run("retention", "run")).stdout).toContain("within ten minutes");
    });
    expect(changes).toEqual(done("updatePartner", "runRetention"));
    await refused("runRetention", "retention", "run");
  });

  test("a sign-in with more than a token is refused, and shows none of it", async () => {
    const env = { XDG_CONFIG_HOME: join(folder, "table"), PORTAGE_OPERATOR_URL: api.origin };
    const table = `id     stk_1\nlabel  laptop\ntoken  ${admin.person.token}\n`;
    const tried = await createProgram(() => env).withStdin(table, "login");
    expect(tried).toMatchObject({ code: 1, stdout: "" });
    expect(tried.stderr).toContain("no staff token");
    expect(tried.stderr).not.toContain(admin.person.token.slice(0, 16));
    const { stdout } = await createProgram(() => env).withStdin(`${admin.person.token}\n`, "login");
    expect(stdout).toContain("Signed in");
  });

  test("without a sign-in say how to sign in, and never fall back on the database", async () => {
    const stranger = createProgram(() => ({
      XDG_CONFIG_HOME: join(folder, "nobody"),
      PORTAGE_OPERATOR_URL: api.origin,
      DATABASE_URL: api.db.url,
    }));
    for (const words of [
      ["partner", "list"],
      ["staff", "list"],
      ["tool", "list"],
      ["retention", "run"],
    ])
      expect(await stranger.run(...words)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining("portage login") as string,
      });
  });
});

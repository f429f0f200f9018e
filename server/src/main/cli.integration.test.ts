import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { findPartner } from "../features/partners/index.ts";
import { createProgram } from "./program.ts";

interface PartnerAnswer {
  readonly id: string;
  readonly [setting: string]: unknown;
}

let db: TestDatabase;
let portage: Cli;
let acme: PartnerAnswer;
let folder = "";
let logoFile = "";

beforeAll(async () => {
  db = await createTestDatabase();
  portage = createCli({ DATABASE_URL: db.url });
  acme = await portage.json("partner", "create", "--name", "Acme", "--destination-tool", "redmine");
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "portage-logo-"));
  logoFile = join(folder, "logo.svg");
  await writeFile(logoFile, '<svg xmlns="http://www.w3.org/2000/svg"/>');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await db.drop();
});

describe("the program", () => {
  test("builds without an environment, and every command has a description", async () => {
    const needs = {
      out: () => {},
      err: () => {},
      fetch,
      env: () => {
        throw new Error("the environment was read while building");
      },
      stdin: () => {
        throw new Error("stdin was read while building");
      },
      tools: () => {
        throw new Error("the tools were read while building");
      },
    };
    const walk = (command: Awaited<ReturnType<typeof createProgram>>): string[] => [
      ...(command.description() === "" ? [command.name()] : []),
      ...command.commands.flatMap((child) => walk(child)),
    ];
    const program = await createProgram({ needs });
    expect(walk(program)).toEqual([]);
    expect(program.commands.map((command) => command.name())).toEqual([
      "partner",
      "token",
      "staff",
      "webhook",
      "tool",
      "destination",
      "import",
      "login",
      "logout",
      "billing",
      "retention",
      "keys",
      "restate",
      "migrate",
      "recover",
      "doctor",
    ]);
  });

  test.each([
    [["partner", "lst"], "unknown command 'lst'"],
    [["partner", "list", "--frm", "x"], "unknown option '--frm'"],
    [["partner"], "Usage: portage partner"],
    [[], "Usage: portage"],
    [["partner", "show"], "missing required argument 'partner'"],
    [["partner", "create", "--name", "x"], "required option '--destination-tool <tool>'"],
    [["import", "list", "--limit", "0"], "whole number from 1 to 1000"],
    [["import", "list", "--limit", "1e2"], "whole number from 1 to 1000"],
    [["keys", "new", "--id", "K 1"], "lower-case letters"],
  ])("an invalid command line %j exits with 2 and explains why", async (words, said) => {
    const { code, stdout, stderr } = await portage.run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  test("help and version succeed without configuration", async () => {
    const bare = portage.with({ DATABASE_URL: "", PORTAGE_KEYS: "", PUBLIC_URL: "" });
    const [help, version] = await Promise.all([
      bare.run("partner", "create", "--help"),
      bare.run("--version"),
    ]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("--allow-tool");
    expect(help.stdout).toContain("--json");
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string });
  });

  test("a closed pipe is not an error", async () => {
    const { execFile } = await import("node:child_process");
    const code = await new Promise((resolve) => {
      const shell = `set -o pipefail; "${process.execPath}" server/src/main/cli.ts partner list | true`;
      execFile("bash", ["-c", shell], { env: portage.env }, (error) => resolve(error ? error.code : 0));
    });
    expect(code).toBe(0);
  });
});

describe("partner", () => {
  test("create prints the defaults on stdout and the next step on stderr", async () => {
    expect(acme).toMatchObject({
      id: expect.stringMatching(/^prt_[0-9a-z]{26}$/) as string,
      name: "Acme",
      destination_tool: "redmine",
      default_family: null,
      payer: "partner_decides",
      full_request_url: null,
      allowed_source_tools: null,
      archive_after_days: 90,
      included_days: 30,
      old_links_days: 400,
      contact_email: null,
      suspended_at: null,
    });
    const { stdout, stderr } = await portage.run(
      "partner",
      "create",
      "--name",
      "B",
      "--destination-tool",
      "redmine",
    );
    expect(stdout).toMatch(/^name +B$/m);
    expect(stderr).toMatch(/portage token issue prt_[0-9a-z]{26} --label/);
  });

  test("create and update accept every setting; an empty value removes one", async () => {
    const made = await portage.json<PartnerAnswer>(
      "partner",
      "create",
      "--name",
      "All",
      "--destination-tool",
      "redmine",
      "--default-family",
      "helpdesk",
      "--payer",
      "customer",
      "--full-request-url",
      "https://a.example/full",
      "--color",
      "#1d4ed8",
      "--logo",
      logoFile,
      "--help-url",
      "https://a.example/h",
      "--help-email",
      "help@a.example",
      "--embed-origin",
      "https://a.example",
      "--embed-origin",
      "https://b.example:8443",
      "--privacy-url",
      "https://a.example/p",
      "--return-url",
      "https://a.example/r",
      "--allow-tool",
      "redmine",
      "--allow-tool",
      "request-tracker",
      "--archive-after-days",
      "7",
      "--included-days",
      "14",
      "--old-links-days",
      "90",
      "--contact-email",
      "ops@acme.example",
    );
    expect(made).toMatchObject({
      default_family: "helpdesk",
      payer: "customer",
      full_request_url: "https://a.example/full",
      branding: {
        color: "#1d4ed8",
        help_url: "https://a.example/h",
        help_email: "help@a.example",
        embed_origins: ["https://a.example", "https://b.example:8443"],
        privacy_url: "https://a.example/p",
        return_url: "https://a.example/r",
      },
      allowed_source_tools: ["redmine", "request-tracker"],
      archive_after_days: 7,
      included_days: 14,
      old_links_days: 90,
      contact_email: "ops@acme.example",
      has_logo: true,
    });
    const changed = await portage.json<PartnerAnswer>(
      "partner",
      "update",
      made.id,
      "--name",
      "Less",
      "--no-default-family",
      "--payer",
      "partner",
      "--full-request-url",
      "",
      "--color",
      "",
      "--logo",
      "",
      "--no-embed-origin",
      "--allow-all-tools",
    );
    expect(changed).toMatchObject({
      name: "Less",
      default_family: null,
      payer: "partner",
      full_request_url: null,
      branding: { color: null, embed_origins: [], return_url: "https://a.example/r" },
      has_logo: false,
      allowed_source_tools: null,
      archive_after_days: 7,
      included_days: 14,
      old_links_days: 90,
      destination_tool: "redmine",
    });
    expect(await portage.json("partner", "show", made.id)).toEqual({ ...changed, webhook_warning: null });
  });

  test("tells the operator when a color needs another lightness", async () => {
    const { stderr } = await portage.run("partner", "update", acme.id, "--color", "#ffee00");
    expect(stderr).toMatch(/^#ffee00 lacks contrast\..*#[0-9a-f]{6} in light pages\.$/m);
    expect(stderr).not.toContain("dark pages");
    expect((await portage.run("partner", "update", acme.id, "--name", "Acme")).stderr).toBe("");
  });

  test("list paginates over all partners", async () => {
    await portage.json("partner", "create", "--name", "Third", "--destination-tool", "request-tracker");
    const first = await portage.json<{ partners: PartnerAnswer[]; next: string }>(
      "partner",
      "list",
      "--limit",
      "1",
    );
    expect(first.partners.map(({ name }) => name)).toEqual(["Acme"]);
    expect(first.next).toBe(acme.id);
    const { stdout, stderr } = await portage.run("partner", "list", "--limit", "1", "--after", first.next);
    expect(stdout.split("\n")[0]).toMatch(/^ID +NAME +DESTINATION +WHO PAYS +SUSPENDED +CREATED$/);
    expect(stdout).not.toContain(acme.id);
    expect(stderr).toMatch(/^There are more: --after prt_/);
    const all = await portage.json<{ partners: PartnerAnswer[]; next: null }>("partner", "list");
    expect(all.next).toBeNull();
    expect(all.partners.length).toBeGreaterThan(2);
  });

  test("escapes control characters in a name", async () => {
    const name = "Evil\u001b[2J\u202egnp";
    const made = await portage.json<PartnerAnswer>(
      "partner",
      "create",
      "--name",
      name,
      "--destination-tool",
      "redmine",
    );
    expect(made["name"]).toBe(name);
    const { stdout } = await portage.run("partner", "show", made.id);
    expect(stdout).toContain("Evil\\u{001b}[2J\\u{202e}gnp");
    expect(stdout).not.toContain("\u001b");
  });

  test.each([
    [
      ["--destination-tool", "redmin"],
      '--destination-tool must be one of destination-protocol, freshdesk, redmine, request-tracker, zendesk: there is no "redmin"',
    ],
    [
      ["--allow-tool", "jira"],
      "--allow-tool must be one of csv, freshdesk, intercom, redmine, request-tracker, zendesk, znuny",
    ],
    [
      ["--allow-tool", "redmine", "--allow-all-tools"],
      "--allow-tool and --allow-all-tools exclude each other",
    ],
    [["--default-family", "crm"], "--default-family must be a family of redmine: projects, helpdesk"],
    [["--default-family", "cars"], "--default-family must be one of helpdesk"],
    [["--payer", "me"], "--payer must be one of customer, partner_decides, partner"],
    [["--color", "red"], "--color must be a color such as #1d4ed8"],
    [["--help-url", "javascript:alert(1)"], "--help-url must be an http or https address"],
    [["--privacy-url", "data:text/html,x"], "--privacy-url must be an http or https address"],
    [["--return-url", "//evil.example"], "--return-url must be an http or https address"],
    [["--full-request-url", "ftp://a.example"], "--full-request-url must be an http or https address"],
    [["--help-email", "x"], "--help-email must be an email address"],
    [["--embed-origin", "https://a.example/path"], "--embed-origin must be an origin"],
    [["--embed-origin", "*"], "--embed-origin must be an origin"],
    [["--embed-origin", "https://a.example; script-src *"], "--embed-origin must be an origin"],
    [["--logo", "README.md"], "--logo must be a PNG, JPEG, WebP or SVG file"],
    [["--logo", "no-such-file.png"], "--logo can't be read: no-such-file.png (ENOENT)"],
    [["--name", " "], "--name can't be blank"],
    [["--archive-after-days", "3651"], "whole number from 1 to 3650"],
    [[], "There is nothing to change."],
  ])("update with %j is refused and changes nothing", async (words, said) => {
    const before = await findPartner(db, acme.id);
    const { code, stdout, stderr } = await portage.run("partner", "update", acme.id, ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
    expect(await findPartner(db, acme.id)).toEqual(before);
  });

  test.each([["show"], ["update", "--name", "x"], ["suspend"], ["resume"]])(
    "%s of an unknown partner says how to list them",
    async (verb, ...rest) => {
      const { code, stderr } = await portage.run("partner", verb, "prt_nobody", ...rest);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: "There is no partner prt_nobody.\nRun: portage partner list\n",
      });
    },
  );
});

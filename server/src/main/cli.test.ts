import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { createAuthenticator, findPartner } from "../features/partners/index.ts";
import { createProgram } from "./program.ts";

interface PartnerAnswer {
  readonly id: string;
  readonly [setting: string]: unknown;
}
interface TokenAnswer {
  readonly id: string;
  readonly token: string;
  readonly revoked_at: string | null;
}

let db: TestDatabase;
let portage: Cli;
let acme: PartnerAnswer;

beforeAll(async () => {
  db = await createTestDatabase();
  portage = createCli({ DATABASE_URL: db.url });
  acme = await portage.json("partner", "create", "--name", "Acme", "--destination-tool", "redmine");
});
afterAll(() => db.drop());

describe("the program", () => {
  test("is built without an environment, and every command has words of its own", () => {
    const needs = {
      ...{ out: () => {}, err: () => {}, fetch },
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
    const walk = (command: ReturnType<typeof createProgram>): string[] => [
      ...(command.description() === "" ? [command.name()] : []),
      ...command.commands.flatMap((child) => walk(child)),
    ];
    const program = createProgram(needs);
    expect(walk(program)).toEqual([]);
    expect(program.commands.map((command) => command.name())).toEqual([
      ...["partner", "token", "tool", "destination", "import", "retention", "keys", "migrate", "doctor"],
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
  ])("a wrong command line %j exits with 2 and says so", async (words, said) => {
    const { code, stdout, stderr } = await portage.run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  test("help and version are no errors and need no configuration", async () => {
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

  test("a closed pipe is no error", async () => {
    const { execFile } = await import("node:child_process");
    const code = await new Promise((resolve) => {
      const shell = `set -o pipefail; "${process.execPath}" server/src/main/cli.ts partner list | true`;
      execFile("bash", ["-c", shell], { env: portage.env }, (error) => resolve(error ? error.code : 0));
    });
    expect(code).toBe(0);
  });
});

describe("partner", () => {
  test("create answers with the defaults, and says what comes next beside the answer", async () => {
    expect(acme).toMatchObject({
      id: expect.stringMatching(/^prt_[0-9a-z]{26}$/) as string,
      name: "Acme",
      destination_tool: "redmine",
      default_family: null,
      payer: "partner_decides",
      full_request_url: null,
      allowed_source_tools: null,
      archive_after_days: 90,
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

  test("create and update take every setting; an empty value takes one away", async () => {
    const made = await portage.json<PartnerAnswer>(
      ...["partner", "create", "--name", "All", "--destination-tool", "redmine"],
      ...[
        "--default-family",
        "helpdesk",
        "--payer",
        "customer",
        "--full-request-url",
        "https://a.example/full",
      ],
      ...["--color", "#1d4ed8", "--logo-url", "https://a.example/l.png", "--help-url", "https://a.example/h"],
      ...["--privacy-url", "https://a.example/p", "--return-url", "https://a.example/r"],
      ...["--allow-tool", "redmine", "--allow-tool", "request-tracker", "--archive-after-days", "7"],
    );
    expect(made).toMatchObject({
      ...{ default_family: "helpdesk", payer: "customer", full_request_url: "https://a.example/full" },
      branding: {
        ...{ color: "#1d4ed8", logo_url: "https://a.example/l.png", help_url: "https://a.example/h" },
        ...{ privacy_url: "https://a.example/p", return_url: "https://a.example/r" },
      },
      allowed_source_tools: ["redmine", "request-tracker"],
      archive_after_days: 7,
    });
    const changed = await portage.json<PartnerAnswer>(
      ...["partner", "update", made.id, "--name", "Less", "--no-default-family", "--payer", "partner"],
      ...["--full-request-url", "", "--color", "", "--allow-all-tools"],
    );
    expect(changed).toMatchObject({
      ...{ name: "Less", default_family: null, payer: "partner", full_request_url: null },
      branding: { color: null, logo_url: "https://a.example/l.png", return_url: "https://a.example/r" },
      ...{ allowed_source_tools: null, archive_after_days: 7, destination_tool: "redmine" },
    });
    expect(await portage.json("partner", "show", made.id)).toEqual(changed);
  });

  test("list shows all in pages", async () => {
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

  test("a name that steers the terminal is shown as codes", async () => {
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
      '--destination-tool must be one of destination-protocol, redmine, request-tracker: there is no "redmin"',
    ],
    [["--allow-tool", "jira"], "--allow-tool must be one of redmine, request-tracker"],
    [
      ["--allow-tool", "redmine", "--allow-all-tools"],
      "--allow-tool and --allow-all-tools exclude each other",
    ],
    [["--default-family", "crm"], "--default-family must be a family of redmine: projects, helpdesk"],
    [["--default-family", "cars"], "--default-family must be one of helpdesk"],
    [["--payer", "me"], "--payer must be one of customer, partner_decides, partner"],
    [["--color", "red"], "--color must be a color such as #1d4ed8"],
    [["--logo-url", "javascript:alert(1)"], "--logo-url must be an http or https address"],
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
        stderr: "There is no partner prt_nobody.\nportage partner list shows them all.\n",
      });
    },
  );
});

describe("token", () => {
  test("issue shows it once; list never does; suspend, resume and revoke take and give its power", async () => {
    const isIn = async (token: string) => (await createAuthenticator(db).authenticate(token))?.id;
    const issued = await portage.json<TokenAnswer>("token", "issue", acme.id, "--label", "ci");
    expect(issued.token).toMatch(/^ptg_live_[0-9A-Za-z]{40}$/);
    expect(await isIn(issued.token)).toBe(acme.id);
    const shown = await portage.run("token", "issue", acme.id, "--label", "by hand");
    expect(shown.stdout).toMatch(/^token +ptg_live_[0-9A-Za-z]{40}$/m);
    expect(shown.stderr).toContain("can't be shown again");

    const [listed, listedJson] = await Promise.all([
      portage.run("token", "list", acme.id),
      portage.run("token", "list", acme.id, "--json"),
    ]);
    expect(listed.stdout).toMatch(/^ID +LABEL +ENDS IN +CREATED +REVOKED$/m);
    expect(listed.stdout).toContain("by hand");
    expect(listed.stdout + listedJson.stdout).not.toContain("ptg_live_");
    expect(JSON.parse(listedJson.stdout)).toMatchObject({
      tokens: [
        { label: "ci", last_characters: issued.token.slice(-4), revoked_at: null },
        { label: "by hand" },
      ],
    });

    await portage.json("partner", "suspend", acme.id);
    expect(await isIn(issued.token)).toBeUndefined();
    const late = await portage.run("token", "issue", acme.id, "--label", "late");
    expect(late.stderr).toContain("is suspended");
    await portage.json("partner", "resume", acme.id);
    expect(await isIn(issued.token)).toBe(acme.id);

    const revoked = await portage.run("token", "revoke", issued.id);
    expect(revoked.stdout).toMatch(new RegExp(`^${issued.id} is revoked since `));
    expect(await isIn(issued.token)).toBeUndefined();
    const again = await portage.json<TokenAnswer>("token", "revoke", issued.id);
    expect(again.revoked_at).not.toBeNull();
  });

  test.each([
    [["issue", "prt_nobody", "--label", "x"], 1, "portage partner list"],
    [["list", "prt_nobody"], 1, "portage partner list"],
    [["revoke", "tok_nobody"], 1, "portage token list"],
    [["revoke", `ptg_live_${"a".repeat(40)}`], 1, "portage token list"],
  ])("%j says where to look", async (words, code, fix) => {
    const ran = await portage.run("token", ...words);
    expect(ran).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(fix) as string });
    expect(ran.stderr).not.toContain("ptg_live_");
  });

  test("a blank label is refused", async () => {
    const ran = await portage.run("token", "issue", acme.id, "--label", " ");
    expect(ran).toEqual({ code: 2, stdout: "", stderr: "--label can't be blank\n" });
  });
});

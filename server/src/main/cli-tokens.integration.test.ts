import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { createAuthenticator } from "../features/partners/index.ts";

interface TokenAnswer {
  readonly id: string;
  readonly token: string;
  readonly revoked_at: string | null;
}

let db: TestDatabase;
let portage: Cli;
let acme: { readonly id: string };
beforeAll(async () => {
  db = await createTestDatabase();
  portage = createCli({ DATABASE_URL: db.url });
  acme = await portage.json("partner", "create", "--name", "Acme", "--destination-tool", "redmine");
});
afterAll(() => db.drop());

// Each command starts its own process, on a machine that may be busy.
describe("token", { timeout: 600_000 }, () => {
  test("issue shows a token once, list never; suspend, resume and revoke take effect on it", async () => {
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
    expect(revoked.stdout).toMatch(new RegExp(`^${issued.id} was revoked at `));
    expect(await isIn(issued.token)).toBeUndefined();
    const again = await portage.json<TokenAnswer>("token", "revoke", issued.id);
    expect(again.revoked_at).not.toBeNull();
  });

  test.each([
    [["issue", "prt_nobody", "--label", "x"], 1, "portage partner list"],
    [["list", "prt_nobody"], 1, "portage partner list"],
    [["revoke", "tok_nobody"], 1, "portage token list"],
    [["revoke", `ptg_live_${"a".repeat(40)}`], 1, "portage token list"],
  ])("%j fails with the command that helps", async (words, code, fix) => {
    const ran = await portage.run("token", ...words);
    expect(ran).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(fix) as string });
    expect(ran.stderr).not.toContain("ptg_live_");
  });

  test("a blank label is refused", async () => {
    const ran = await portage.run("token", "issue", acme.id, "--label", " ");
    expect(ran).toEqual({ code: 2, stdout: "", stderr: "--label can't be blank\n" });
  });
});

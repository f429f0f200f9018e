import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCli } from "../../../test/support/cli.ts";
import { givenImport } from "../../../test/support/given-import.ts";
import { connected, useOperatorApi } from "../../../test/support/operator-api.ts";
import { createProgram } from "../../../test/support/program.ts";
import { patienceMs } from "../../../test/support/patience.ts";
import { createStaffLookup, findOpenInvitation } from "../features/staff/index.ts";
import { createSealer } from "../platform/seal.ts";
import { Secret } from "../platform/secret.ts";
import { saveToken } from "./commands/operator-client.ts";
import { readConfig } from "./config.ts";

const api = useOperatorApi();
const home = mkdtempSync(join(tmpdir(), "portage-login-"));
afterAll(() => rmSync(home, { recursive: true }));

/** Of a user without the database and without keys. */
const client = () =>
  createCli({
    DATABASE_URL: "",
    PORTAGE_KEYS: "",
    XDG_CONFIG_HOME: home,
    PORTAGE_OPERATOR_URL: api.origin,
  });

interface Made {
  readonly id: string;
  readonly token: string;
}

describe("portage staff, on the database", { timeout: patienceMs }, () => {
  test("adds a person with a token, disables and enables them, revokes the token, and logs it all", async () => {
    const portage = createCli({ DATABASE_URL: api.db.url });
    const add = ["staff", "add", "--name", "Jo", "--email", "jo@acme.example", "--role", "operator"] as const;
    const jo = await portage.json<Made>(...add);
    expect(await portage.run(...add)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("email") as string,
    });
    const issued = await portage.json<Made>(
      "staff",
      "token",
      "new",
      jo.id,
      "--label",
      "laptop",
      "--area",
      "imports",
    );
    const session = () => createStaffLookup(api.db)(issued.token);
    expect(await session()).toMatchObject({ staffId: jo.id, role: "operator", areas: ["imports"] });
    const listed = await portage.run("staff", "token", "list", jo.id);
    expect(listed.stdout).toContain("laptop");
    expect(listed.stdout).not.toContain("ptg_staff_");
    await portage.json("staff", "disable", jo.id);
    expect(await session()).toBeUndefined();
    await portage.json("staff", "enable", jo.id);
    expect(await session()).toBeDefined();
    const wrong = await portage.run("staff", "token", "revoke", issued.token);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).not.toContain("ptg_staff_");
    await portage.json("staff", "token", "revoke", issued.id);
    expect(await session()).toBeUndefined();
    expect((await portage.run("staff", "list")).stdout).toContain("jo@acme.example");
    const { rows } = await api.db.pool.query<{ action: string }>(
      `select action from staff_audit where machine_user is not null and staff_id is null and changes
         and target_id in ($1, $2) order by seq`,
      [jo.id, issued.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "addStaff",
      "issueStaffToken",
      "disableStaff",
      "enableStaff",
      "revokeStaffToken",
    ]);
  });

  test.each([
    [["add", "--name", " ", "--email", "x@acme.example", "--role", "viewer"], "--name"],
    [["add", "--name", "x", "--email", "x", "--role", "viewer"], "--email"],
    [["add", "--name", "x", "--email", "x@acme.example", "--role", "king"], "--role"],
  ])("%j is refused", async (words, option) => {
    const ran = await createCli({ DATABASE_URL: api.db.url }).run("staff", ...words);
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(option) as string });
  });
});

test("commands on the database log their changes to partners, tokens and imports", {
  timeout: patienceMs,
}, async () => {
  const keys = `test:${randomBytes(32).toString("base64")}`;
  const portage = createCli({ DATABASE_URL: api.db.url, PORTAGE_KEYS: keys });
  const acme = await portage.json<Made>(
    "partner",
    "create",
    "--name",
    "Acme",
    "--destination-tool",
    "redmine",
  );
  await portage.json("partner", "update", acme.id, "--archive-after-days", "7");
  await portage.json("partner", "suspend", acme.id);
  await portage.json("partner", "resume", acme.id);
  const issued = await portage.json<Made>("token", "issue", acme.id, "--label", "ci");
  await portage.json("token", "revoke", issued.id);
  const importId = await givenImport(api.db, createSealer(readConfig({ ...portage.env }).PORTAGE_KEYS));
  await portage.json("import", "reissue-link", importId);
  await portage.json("import", "cancel", importId);
  const { rows } = await api.db.pool.query<{ action: string }>(
    `select action, after from staff_audit where machine_user is not null and target_id in ($1, $2, $3) order by seq`,
    [acme.id, issued.id, importId],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "createPartner",
    "updatePartner",
    "suspendPartner",
    "resumePartner",
    "issueToken",
    "revokeToken",
    "reissueLink",
    "cancelImport",
  ]);
  expect(JSON.stringify(rows)).not.toContain("ptg_live_");
  // Sealed with keys that the API of the other tests does not have.
  await api.db.pool.query("update imports set link_token = '' where id = $1", [importId]);
});

describe("portage staff invite", { timeout: patienceMs }, () => {
  const add = (...more: readonly string[]) =>
    createCli({ DATABASE_URL: api.db.url }).run(
      "--json",
      "staff",
      "add",
      "--name",
      "Kim",
      "--email",
      `${randomUUID()}@acme.example`,
      ...more,
    );

  test("shows a link to the console once, and logs it", async () => {
    const key = randomBytes(32);
    const portage = createCli({
      DATABASE_URL: api.db.url,
      PORTAGE_KEYS: `k1:${key.toString("base64")}`,
      OPERATOR_URL: "https://operator.portage.example",
    });
    const kim = JSON.parse((await add("--role", "viewer")).stdout) as Made;
    const { url } = await portage.json<{ url: string }>("staff", "invite", kim.id);
    const [address, token = ""] = url.split("#");
    expect(address).toBe("https://operator.portage.example/console/enrol");
    const sealer = createSealer([{ id: "k1", key }]);
    expect(await findOpenInvitation(api.db, sealer, new Secret(token))).toMatchObject({
      person: { id: kim.id },
    });
    const { rows } = await api.db.pool.query("select * from staff_audit where target_id = $1 order by seq", [
      kim.id,
    ]);
    expect(rows).toMatchObject([{ action: "addStaff" }, { action: "inviteStaff" }]);
    expect(JSON.stringify(rows)).not.toContain(token);
    await portage.json("staff", "disable", kim.id);
    expect((await portage.run("staff", "invite", kim.id)).code).toBe(1);
    expect(await findOpenInvitation(api.db, sealer, new Secret(token))).toBeUndefined();
  });

  test("makes no invitation without the console's address", async () => {
    const { id } = JSON.parse((await add("--role", "viewer")).stdout) as Made;
    const portage = createCli({
      DATABASE_URL: api.db.url,
      PORTAGE_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    });
    expect(await portage.run("staff", "invite", id)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("Set OPERATOR_URL") as string,
    });
    const { rows } = await api.db.pool.query("select action from staff_audit where target_id = $1", [id]);
    expect(rows).toEqual([{ action: "addStaff" }]);
  });

  test("people of partners have that partner, and no staff token", async () => {
    const { partnerId } = await api.givenImport();
    expect(await add("--role", "partner")).toMatchObject({ code: 2 });
    expect(await add("--role", "viewer", "--partner", partnerId)).toMatchObject({ code: 2 });
    expect(await add("--role", "partner", "--partner", "prt_none")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--partner is no partner's id") as string,
    });
    const made = await add("--role", "partner", "--partner", partnerId);
    const kim = JSON.parse(made.stdout) as Made;
    expect(kim).toMatchObject({ role: "partner", partner_id: partnerId });
    const portage = createCli({ DATABASE_URL: api.db.url });
    const token = await portage.run("staff", "token", "new", kim.id, "--label", "x");
    expect(token).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("portage token issue") as string,
    });
    expect(JSON.parse((await add("--role", "admin", "--break-glass")).stdout)).toMatchObject({
      break_glass: true,
    });
  });
});

describe("the commands on imports, through the operator API", { timeout: patienceMs }, () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await api.person("operator"));
  });

  test("need a sign-in, which is kept where only its user can read it", async () => {
    const portage = client();
    expect(await portage.run("import", "list")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("portage login") as string,
    });
    const file = await saveToken({ XDG_CONFIG_HOME: home }, api.origin, token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await portage.run("import", "list")).code).toBe(0);
    chmodSync(file, 0o644);
    expect(await portage.run("import", "list")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("chmod 600") as string,
    });
    chmodSync(file, 0o600);
  });

  test("list, show, run, pause, cancel and re-issue links, with the person and the reason in the log", async () => {
    await saveToken({ XDG_CONFIG_HOME: home }, api.origin, token);
    const portage = client();
    const { id } = await api.givenImport(connected);
    const listed = await portage.json<{ imports: { id: string }[] }>("import", "list");
    expect(listed.imports.map((each) => each.id)).toContain(id);
    expect((await portage.run("import", "run", id, "sample", "--reason", "they asked")).stdout).toContain(
      "sample",
    );
    expect((await portage.run("import", "pause", id)).code).toBe(0);
    const shown = await portage.run("import", "show", id);
    expect(shown.stdout).toMatch(/startRun +Jo operator +- +they asked/);
    expect(shown.stdout).not.toContain("https://portage.example/imports/");
    expect((await portage.run("import", "show", id, "--show-link")).stdout).toContain(
      `https://portage.example/imports/${id}/`,
    );
    expect((await portage.run("import", "reissue-link", id)).stdout).toContain(id);
    expect(await portage.json("import", "cancel", id)).toMatchObject({ closed: "cancelled", changed: true });
    expect(await portage.json("import", "cancel", id)).toMatchObject({ closed: "cancelled", changed: false });
    expect(await portage.run("import", "erase", id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("needs the role admin") as string,
    });
    expect((await portage.run("import", "show", "imp_none")).code).toBe(1);
    expect((await portage.run("import", "list", "--stuck")).code).toBe(0);
  });

  test("login tries the token before it keeps it, and sends it nowhere without TLS", async () => {
    const { withStdin } = createProgram(() => client().env);
    const file = join(home, "portage", "operator.json");
    rmSync(file, { force: true });
    expect(await withStdin(`ptg_staff_${"x".repeat(40)}`, "login")).toMatchObject({ code: 1, stdout: "" });
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
    const signedIn = await withStdin(`${token}\n`, "login");
    expect(signedIn).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("as Jo operator (operator)") as string,
    });
    expect(signedIn.stdout + signedIn.stderr).not.toContain(token);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ [api.origin]: token });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const insecure = createProgram(() => ({
      ...client().env,
      PORTAGE_OPERATOR_URL: "http://portage.example",
    }));
    expect(await insecure.withStdin(token, "login")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("https") as string,
    });
  });

  test("logout forgets the token", async () => {
    await saveToken({ XDG_CONFIG_HOME: home }, api.origin, token);
    const file = join(home, "portage", "operator.json");
    expect(readFileSync(file, "utf8")).toContain("ptg_staff_");
    expect((await client().run("logout")).code).toBe(0);
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
  });

  test("on the database check the reason, too, and what needs a name says so", async () => {
    const portage = createCli({ DATABASE_URL: api.db.url });
    const { id } = await api.givenImport();
    expect(await portage.run("import", "cancel", id, "--reason", "x".repeat(501))).toMatchObject({ code: 2 });
    expect(await portage.run("import", "pause", id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("PORTAGE_OPERATOR_URL") as string,
    });
  });
});

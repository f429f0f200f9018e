import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { createAuthenticator } from "../../server/src/features/partners/index.ts";
import { axe, axeDark, axeNarrow, shoot, sidewaysScroll } from "../wizard/looks.ts";
import { byKeyboard } from "../wizard/by-keyboard.ts";
import type { Watch } from "../wizard/page-watch.ts";
import { join } from "node:path";
import { codeOf, useConsole } from "./console-fixture.ts";

const fixture = useConsole();
const folder = join(import.meta.dirname, "../../artifacts/console");

const title = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

/** What every screen must be: accessible in both schemes, as wide as its window, without a request to another host. */
const looksRight = async ({ page, watch }: { page: Page; watch: Watch }, name: string) => {
  await shoot(page, name, { folder });
  expect(await axe(page), name).toEqual([]);
  expect(await axeNarrow(page), name).toEqual([]);
  expect(await axeDark(page), name).toEqual([]);
  expect(await sidewaysScroll(page, 390), name).toBe(0);
  expect(await sidewaysScroll(page, 320), name).toBe(0);
  expect(watch.foreign, name).toEqual([]);
  expect(await watch.violations(), name).toEqual([]);
};

const sayWhy = async (page: Page, confirm: string, reason: string) => {
  await page.getByLabel("Reason").fill(reason);
  await page.getByRole("alertdialog").getByRole("button", { name: confirm }).click();
  await page.getByRole("alertdialog").waitFor({ state: "hidden" });
};

test("an operator finds the stuck import, sees why, mends it and watches it end", async () => {
  const stuck = await fixture.givenStuck("ws_example_bikes");
  const opened = await fixture.open("operator", "");
  const { page } = opened;
  await title(page, "Overview");
  await page.getByText("The destination refuses records").first().waitFor();
  await looksRight(opened, "overview");
  await page.getByRole("link", { name: /Wait for customers/ }).click();
  await title(page, "Imports");
  await page.getByText(/The destination refuses records, since 3 hours ago/).waitFor();
  await looksRight(opened, "imports-stuck");
  await page.getByRole("link", { name: stuck.reference }).click();
  await title(page, stuck.reference);
  await page.getByText(/so the run pauses until someone lets it go on/).waitFor();
  expect(await page.getByText("forbidden").count()).toBeGreaterThan(0);
  await looksRight(opened, "import-stuck");

  stuck.mend();
  await page.getByRole("button", { name: "Resume" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Resume the run?" });
  await dialog.waitFor();
  await shoot(page, "dialog-resume", { folder });
  expect(await axe(page)).toEqual([]);
  // No change without a reason.
  await dialog.getByRole("button", { name: "Resume the run" }).click();
  await page.getByText("Say why.").waitFor();
  const reason = dialog.getByLabel("Reason");
  expect(await reason.getAttribute("aria-invalid")).toBe("true");
  expect(await reason.evaluate((field) => field === document.activeElement)).toBe(true);
  await sayWhy(page, "Resume the run", "the tool allows writing again");
  await page.getByText("Resume requested. The run goes on in a moment.").waitFor();
  await page.getByText(/the tool allows writing again/).waitFor();

  await stuck.work();
  await page.getByText("Migration completed", { exact: true }).first().waitFor();
  // The number leads to the records behind it, and back.
  await page.getByRole("link", { name: /records: forbidden of tickets$/ }).click();
  await title(page, "Records");
  await page.getByText("The tool did not like it.").first().waitFor();
  await looksRight(opened, "records");
  await page.goBack();
  await title(page, stuck.reference);
  await page.getByRole("button", { name: "Retry forbidden of tickets" }).click();
  await page.getByRole("alertdialog", { name: "Retry forbidden of tickets?" }).waitFor();
  await sayWhy(page, "Retry this cause", "the refused ones, too");
  await stuck.work();
  await page.getByText("Nothing failed, was left out or changed.").waitFor();
  await page.getByText(/“the refused ones, too”/).waitFor();
  // The report is that of the newest run, and every stream adds up.
  const report = page.getByRole("region", { name: "Report" });
  await report.getByText("Run 2, Retry").waitFor();
  await report
    .getByRole("row", { name: /^Tickets/ })
    .getByText("Adds up")
    .waitFor();
  expect(await report.getByText(/^Off by/).count()).toBe(0);
  await looksRight(opened, "import-done");

  // An undo shows what it would do before it asks.
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByRole("columnheader", { name: "Is removed" }).waitFor();
  await page.getByRole("row", { name: /^Tickets/ }).waitFor();
  await shoot(page, "dialog-undo", { folder });
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  const { rows } = await fixture.db.pool.query<{ action: string; reason: string }>(
    "select action, reason from staff_audit where target_id = $1 and changes and outcome = 'done' order by seq",
    [stuck.id],
  );
  expect(rows).toEqual([
    { action: "resumeRun", reason: "the tool allows writing again" },
    { action: "startRun", reason: "the refused ones, too" },
  ]);
  // The first request has no session yet.
  expect(opened.watch.errors.filter((text) => !text.includes("401"))).toEqual([]);
});

test("the same by keyboard alone", async () => {
  const stuck = await fixture.givenStuck("ws_by_keyboard");
  const person = await fixture.person("operator");
  const { page } = await fixture.browser.open();
  await page.goto(`${fixture.origin}/console`);
  await title(page, "Sign in");
  const { press, type } = byKeyboard(page);
  await type("Email", person.email);
  await type("Password", fixture.password);
  await type("Code", codeOf(person.totpSecret));
  await page.keyboard.press("Enter");
  await title(page, "Overview");
  await press(page.getByRole("link", { name: "All stuck imports" }));
  await title(page, "Imports");
  await press(page.getByRole("link", { name: stuck.reference }));
  await title(page, stuck.reference);
  stuck.mend();
  await press(page.getByRole("button", { name: "Resume" }));
  await page.getByRole("alertdialog").waitFor();
  await type("Reason", "mended");
  await press(page.getByRole("button", { name: "Resume the run" }));
  await page.getByRole("alertdialog").waitFor({ state: "hidden" });
  await stuck.work();
  await page.getByText("Migration completed", { exact: true }).first().waitFor();
  expect(await page.getByText("“mended”").count()).toBe(1);
});

test("a viewer sees everything of the import, and no action", async () => {
  const stuck = await fixture.givenStuck("ws_viewed");
  const { page } = await fixture.open("viewer", `/imports/${stuck.id}`);
  await title(page, stuck.reference);
  await page.getByRole("heading", { name: "Timeline" }).waitFor();
  // Nothing but the way out.
  const buttons = await page.getByRole("button").allTextContents();
  expect(buttons).toEqual(["Sign out"]);
  await page.getByText("Viewer", { exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
  await page.getByRole("link", { name: "Tools" }).click();
  await title(page, "Tools");
  await page
    .getByRole("link", { name: /^Imports with/ })
    .first()
    .waitFor();
  expect(await page.getByRole("button").allTextContents()).toEqual(["Sign out"]);
});

test("sign-in: wrong once, then back to where the person was; an ended session asks again; sign-out", async () => {
  const person = await fixture.person("admin");
  const opened = await fixture.browser.open();
  const { page } = opened;
  await page.goto(`${fixture.origin}/console/sign-in?problem=oidc_no_role&to=%2Fpartners`);
  await page.getByText("Your account has no role here.").waitFor();
  expect(await page.getByRole("link", { name: "Sign in with Acme ID" }).getAttribute("href")).toBe(
    "/console/oidc/start?to=%2Fconsole%2Fpartners",
  );
  await looksRight(opened, "sign-in");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill("wrong");
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText(/Check the email address, the password and the code/).waitFor();
  // A mistake of the server is none of the person's.
  await page.route("**/sign-in/local", (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await fixture.signIn(page, person);
  await page.getByRole("alert").getByText("The server could not answer. Nothing was changed.").waitFor();
  expect(await page.getByText(/Check the email address/).count()).toBe(0);
  await fixture.signIn(page, person);
  await title(page, "Partners");

  await opened.context.clearCookies();
  await page.goto(`${fixture.origin}/console/partners/${fixture.partnerId}`);
  await title(page, "Sign in");
  expect(new URL(page.url()).searchParams.get("to")).toBe(`/partners/${fixture.partnerId}`);
  await fixture.signIn(page, person);
  await title(page, "Acme Desk");
  // Without an answer the session goes on, so the page does not claim that it has ended.
  await page.route("**/api/operator/v1/session", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("alert").getByText("You are still signed in here.").waitFor();
  await title(page, "Acme Desk");
  await shoot(page, "sign-out-failed", { folder });
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await title(page, "Sign in");
  await page.goBack();
  await title(page, "Sign in");
});

test("an invitation leads to a password, a secret for the authenticator, and into the console, once", async () => {
  const opened = await fixture.browser.open();
  const { page } = opened;
  const address = await fixture.invitation("viewer");
  // The invitation is good, whatever keeps the server from opening it.
  await page.route("**/enrolment", (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await page.goto(address);
  await title(page, "Set up your account");
  await page.getByRole("alert").getByText("Something went wrong").waitFor();
  await looksRight(opened, "enrol-failed");
  await page.getByRole("button", { name: "Try again" }).click();
  await title(page, "Welcome, Jo viewer");
  const totpSecret = await page.getByText(/^[A-Z2-7 ]{32,}$/).textContent();
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  await looksRight(opened, "enrol");
  await page.getByLabel("Password").fill("a long enough password");
  const code = page.getByRole("textbox", { name: "Code" });
  await code.fill("000000");
  await page.getByRole("button", { name: "Set up and sign in" }).click();
  await page.getByRole("alert").getByText("This was not accepted").waitFor();
  await page.getByText(/^Code is wrong: enter the one/).waitFor();
  expect(await code.getAttribute("aria-invalid")).toBe("true");
  await code.fill(codeOf(totpSecret?.replaceAll(" ", "") ?? "").replace(/^.../, "$& "));
  await page.getByRole("button", { name: "Set up and sign in" }).click();
  await title(page, "Overview");
  const again = await fixture.browser.open();
  await again.page.goto(address);
  await title(again.page, "This invitation no longer works");
  expect(await again.page.getByLabel("Password").count()).toBe(0);
});

/** An authenticator that is built into the device, as Chromium simulates it. */
const giveAuthenticator = async ({ context, page }: { context: BrowserContext; page: Page }) => {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: async () =>
      (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    /** Whether its owner gives a finger, a face or a PIN. */
    setVerified: (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
};

test("an invitation leads to a passkey, which signs in again, but not unverified nor for a disabled person", async () => {
  const opened = await fixture.browser.open();
  const { page } = opened;
  const authenticator = await giveAuthenticator(opened);
  await page.goto(await fixture.invitation("operator"));
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await title(page, "Overview");
  expect(await authenticator.credentials()).toBe(1);
  const signOut = async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await title(page, "Sign in");
  };
  await signOut();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await title(page, "Overview");
  await signOut();

  await authenticator.setVerified(false);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("alert").waitFor();
  await title(page, "Sign in");
  await authenticator.setVerified(true);
  await fixture.db.pool.query(
    "update staff set disabled_at = now() where id = (select staff_id from staff_passkeys)",
  );
  await page.reload();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("alert").waitFor();
  await title(page, "Sign in");
});

test("the list keeps its filters in the address, and says when there is nothing", async () => {
  const opened = await fixture.open("viewer", "/imports");
  const { page } = opened;
  await page.getByRole("link", { name: "ws_acme_0" }).waitFor();
  await looksRight(opened, "imports");
  await page.getByLabel("Created from").fill("2020-01-01");
  await page.getByLabel("to", { exact: true }).fill("2020-01-31");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No import is like this" }).waitFor();
  expect(new URL(page.url()).search).toBe("?created_since=2020-01-01&created_until=2020-01-31");
  await page.getByRole("link", { name: "Clear" }).click();
  await page.getByRole("link", { name: "ws_acme_0" }).waitFor();
  await page.getByLabel("Status").selectOption("sample_completed");
  await page.waitForURL(/status=sample_completed/);
  await page.getByRole("link", { name: "ws_acme_0" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "ws_acme_2" }).waitFor();
  await page.getByRole("searchbox").fill("ws_acme_3");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "ws_acme_2" }).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("link", { name: "ws_acme_3" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("ws_acme_3");
  await page.getByRole("searchbox").fill("no such");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No import is like this" }).waitFor();
  await looksRight(opened, "imports-none");
  await page.getByRole("link", { name: "Clear" }).click();
  await page.getByRole("link", { name: "ws_acme_0" }).waitFor();
  await page.goto(`${fixture.origin}/console/imports?status=nonsense`);
  await page.getByText("These filters are not valid").waitFor();
});

test("an admin operates a partner's webhooks and branding, and finds it in the audit log", async () => {
  const opened = await fixture.open("admin", `/partners/${fixture.partnerId}`);
  const { page } = opened;
  await title(page, "Acme Desk");
  await page.getByText("webhook.test").first().waitFor();
  await page.getByText(/Button on dark pages: \d/).waitFor();
  await looksRight(opened, "partner");
  await page.getByRole("button", { name: "Send a test" }).click();
  await sayWhy(page, "Send a test", "does it answer?");
  await page.getByText("The test event is on its way").waitFor();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await sayWhy(page, "Rotate the secret", "every year");
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole("button", { name: "Change branding" }).click();
  // What the API refuses is said at its field, and can be corrected.
  await page.getByLabel("Help email").fill("none");
  await page.getByLabel("Reason").fill("a first try");
  await page.getByRole("button", { name: "Save the branding" }).click();
  await page.getByRole("alert").getByText("This was not accepted").waitFor();
  await page.getByText("Help email must be an email address").waitFor();
  const email = page.getByLabel("Help email");
  expect(await email.getAttribute("aria-invalid")).toBe("true");
  expect(await email.evaluate((field) => field === document.activeElement)).toBe(true);
  await shoot(page, "dialog-refused", { folder });
  expect(await axe(page)).toEqual([]);
  await page.getByLabel("Help email").fill("help@acme.example");
  await page.getByLabel("Accent color").fill("#ffff00");
  await page
    .getByRole("alertdialog")
    .getByText(/light pages: .*another lightness/)
    .waitFor();
  await shoot(page, "dialog-branding", { folder });
  expect(await axe(page)).toEqual([]);
  await sayWhy(page, "Save the branding", "their new color");
  await page.getByText("The branding is saved.").waitFor();
  await page.getByText("#ffff00").waitFor();
  for (const [link, name] of [
    ["Audit log", "audit"],
    ["Workers", "workers"],
    ["Tools", "tools"],
    ["Webhooks", "webhooks"],
    ["Billing", "billing"],
    ["Data", "data"],
    ["People", "people"],
    ["Partners", "partners"],
  ] as const) {
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: link }).click();
    await title(page, link);
    await page.locator("main table").first().waitFor();
    if (name === "audit") {
      const entry = page.getByRole("row").filter({ hasText: "their new color" });
      await entry.getByText("Details").click();
      await entry.getByText(/→ #ffff00$/).waitFor();
      expect(await entry.getByText("privacy_url").count()).toBe(0);
      await entry.getByText(/^[0-9a-f]{8}-[0-9a-f-]{27}$/).waitFor();
    }
    await looksRight(opened, name);
    if (name === "audit") {
      await page.getByLabel("Action, such as").fill("rotateWebhookSecret");
      await page.keyboard.press("Enter");
      await page.getByText("“every year”").waitFor();
      await page.getByText("“their new color”").waitFor({ state: "detached" });
      await page
        .getByRole("link", { name: /: all that they did$/ })
        .first()
        .click();
      await page.waitForURL(/staff=stf_/);
      await page.getByLabel("From").fill("2020-01-01");
      await page.getByLabel("To").fill("2020-01-31");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "No entry is like this" }).waitFor();
    }
  }
});

test("an admin adds a person, invites them, ends their session, changes their role and disables them", async () => {
  const opened = await fixture.open("admin", "/people");
  const { page } = opened;
  await title(page, "People");
  await page.getByRole("button", { name: "Add a person" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Kim");
  await page.getByRole("textbox", { name: "Email" }).fill("kim");
  await page.getByLabel("Reason").fill("helps on Mondays");
  await page.getByRole("button", { name: "Add the person" }).click();
  await page.getByText("Email must be an email address").waitFor();
  await page.getByRole("textbox", { name: "Email" }).fill("kim@acme.example");
  await shoot(page, "dialog-person", { folder });
  expect(await axe(page)).toEqual([]);
  await sayWhy(page, "Add the person", "helps on Mondays");
  await title(page, "Kim");
  await page.getByRole("button", { name: "Invite" }).click();
  await sayWhy(page, "Make the link", "a new colleague");
  const invitation = await page.getByText(/\/console\/enrol#/).textContent();

  const theirs = await fixture.browser.open();
  await theirs.page.goto(invitation ?? "");
  await title(theirs.page, "Welcome, Kim");
  const totpSecret = await theirs.page.getByText(/^[A-Z2-7 ]{32,}$/).textContent();
  await theirs.page.getByLabel("Password").fill("a long enough password");
  await theirs.page
    .getByRole("textbox", { name: "Code" })
    .fill(codeOf(totpSecret?.replaceAll(" ", "") ?? ""));
  await theirs.page.getByRole("button", { name: "Set up and sign in" }).click();
  await title(theirs.page, "Overview");
  // A viewer does not see who else has an account.
  expect(await theirs.page.getByRole("link", { name: "People" }).count()).toBe(0);

  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  await looksRight(opened, "person");
  await page.getByRole("button", { name: "Change role" }).click();
  await page.getByRole("combobox", { name: "Role" }).selectOption("operator");
  await sayWhy(page, "Change the role", "helps customers");
  await page.getByText("The role is changed.").waitFor();
  await page.getByText("Operator", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^End the session from/ }).click();
  await sayWhy(page, "End it", "a lost laptop");
  await page.getByText("Ended", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await sayWhy(page, "Disable the person", "has left");
  await page.getByText("Kim is disabled.").waitFor();
  expect(await page.getByRole("button", { name: "Invite" }).count()).toBe(0);
});

test("an admin records a payment, finds it in the books and gives it back", async () => {
  const id = await fixture.givenOrder();
  const opened = await fixture.open("admin", `/imports/${id}`);
  const { page } = opened;
  await page.getByRole("button", { name: "Record the payment" }).click();
  await sayWhy(page, "Record the payment", "it has arrived");
  await page.getByText("The payment is recorded.").waitFor();
  await page.getByText("Entries of the books").click();
  await looksRight(opened, "import-paid");
  await page.getByRole("button", { name: "Give money back" }).click();
  await sayWhy(page, "Give it back", "they changed their mind");
  await page.getByText("The refund is under way.").waitFor();
  await page.getByRole("button", { name: "Give money back" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Record the refund" }).click();
  await sayWhy(page, "Record the refund", "sent by the bank");
  await page.getByText("The refund is recorded.").waitFor();

  const viewer = await fixture.open("viewer", `/imports/${id}`);
  await viewer.page.getByText("Entries of the books").waitFor();
  expect(await viewer.page.getByRole("button", { name: /payment|money/ }).count()).toBe(0);
});

test("an admin erases a customer once the imports are closed, and has retention run", async () => {
  const opened = await fixture.open("admin", "/data");
  const { page } = opened;
  await title(page, "Data");
  const erase = async (username: string) => {
    await page.getByRole("button", { name: "Erase a customer" }).click();
    await page.getByRole("textbox", { name: "Destination username" }).fill(username);
    await page.getByLabel("Reason").fill("they asked for it");
    await page.getByRole("button", { name: "Erase for good" }).click();
  };
  // Open: the dialog stays with the reason.
  await erase("jo0@acme.example");
  await page.getByRole("alertdialog").getByText("Not now").waitFor();
  await shoot(page, "dialog-erase", { folder });
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await erase("nobody@acme.example");
  await page.getByText("No import has this username now: nothing was erased.").waitFor();
  await erase("jo4@acme.example");
  await page.getByText("1 import is erased. This is the signed receipt.").waitFor();
  await page.getByRole("button", { name: "Run now" }).click();
  await sayWhy(page, "Run retention", "they asked for it");
  await page.getByText("Retention runs within ten minutes.").waitFor();

  const viewer = await fixture.open("viewer", "/data");
  await title(viewer.page, "Data");
  await viewer.page.locator("main table").first().waitFor();
  expect(await viewer.page.getByRole("button").allTextContents()).toEqual(["Sign out"]);
});

test("a tool's page has its accounts with their quotas", async () => {
  await fixture.givenAccount();
  const opened = await fixture.open("viewer", "/tools");
  const { page } = opened;
  await page.getByRole("link", { name: "Accounts of Redmine: 1" }).click();
  await title(page, "Redmine");
  await page.getByText("acme.example/7").first().waitFor();
  // The quota of one request is free again within a tenth of a second.
  await page.getByText(/^[01] used$/).waitFor();
  expect(await page.getByText("600 requests per minute", { exact: true }).count()).toBe(1);
  expect(await page.getByText("acme.example/7").count()).toBeGreaterThan(0);
  await page.getByText("With a key or a password.").waitFor();
  await looksRight(opened, "tool");
  expect(await page.getByRole("button").allTextContents()).toEqual(["Sign out"]);

  // One with a sign-in page of its own: the operator registers with it.
  await fixture.db.pool.query(
    "insert into oauth_clients (tool, origin, client_id, client_secret) values ('zendesk', 'https://acme.zendesk.com', 'portage', '')",
  );
  await page.goto(`${fixture.origin}/console/tools/zendesk`);
  await page.getByText("https://portage.example/oauth/callback/zendesk").waitFor();
  await page.getByRole("row", { name: "portage https://acme.zendesk.com" }).waitFor();
  await looksRight(opened, "tool-oauth");
});

test("an admin issues a partner's token, shown once, revokes it, suspends and resumes the partner", async () => {
  const opened = await fixture.open("admin", `/partners/${fixture.partnerId}`);
  const { page } = opened;
  await title(page, "Acme Desk");
  await page.getByRole("button", { name: "Issue a token" }).click();
  const tokens = new RegExp(`/${fixture.partnerId}/tokens$`);
  await page.route(tokens, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await page.getByRole("textbox", { name: "Label" }).fill("answer lost");
  await page.getByLabel("Reason").fill("their new server");
  await page.getByRole("button", { name: "Issue the token" }).click();
  await page.getByRole("alert").getByText("The server does not answer").waitFor();
  await page.unroute(tokens);
  // It was issued. What a person presses once more is the same change, also with another reason.
  await page.getByLabel("Reason").fill("once more");
  await page.getByRole("button", { name: "Issue the token" }).click();
  await page
    .getByRole("alert")
    .getByText(/^This change was made already, at .*nothing was done again/)
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Revoke answer lost" }).waitFor();
  expect(await page.getByRole("button", { name: "Revoke answer lost" }).count()).toBe(1);

  await page.getByRole("button", { name: "Issue a token" }).click();
  await page.getByRole("textbox", { name: "Label" }).fill("production server");
  await shoot(page, "dialog-token", { folder });
  expect(await axe(page)).toEqual([]);
  await sayWhy(page, "Issue the token", "their new server");
  const token = await page.getByText(/^ptg_live_/).textContent();
  await page.getByRole("button", { name: "Revoke production server" }).waitFor();
  const { authenticate } = createAuthenticator(fixture.db);
  expect(await authenticate(token ?? "")).toMatchObject({ id: fixture.partnerId });
  await page.reload();
  await page.getByText("production server").waitFor();
  expect(await page.getByText(/ptg_live_/).count()).toBe(0);

  await page.getByRole("button", { name: "Suspend the partner" }).click();
  await sayWhy(page, "Suspend", "they asked for it");
  await page.getByText(/^Suspended since/).waitFor();
  await looksRight(opened, "partner-suspended");
  const waiting = await fixture.browser.open();
  await waiting.page.goto(`${fixture.origin}/console`);
  await fixture.signIn(waiting.page, await fixture.person("partner"));
  await waiting.page.getByRole("alert").getByText("You can't sign in now").waitFor();
  await waiting.page.getByText(/^Acme Desk is suspended/).waitFor();
  await looksRight(waiting, "sign-in-suspended");
  expect(await createAuthenticator(fixture.db).authenticate(token ?? "")).not.toMatchObject({
    id: fixture.partnerId,
  });
  await page.getByRole("button", { name: "Resume the partner" }).click();
  await sayWhy(page, "Resume", "all is well");
  await page.getByText("The partner is active again.").waitFor();
  await page.getByRole("button", { name: "Revoke production server" }).click();
  await sayWhy(page, "Revoke the token", "no longer used");
  await page.getByText("The token is revoked.").waitFor();
  expect(await page.getByRole("button", { name: "Revoke production server" }).count()).toBe(0);

  for (const role of ["operator", "viewer", "partner"] as const) {
    const other = await fixture.open(role, `/partners/${fixture.partnerId}`);
    await title(other.page, "Acme Desk");
    await other.page.getByRole("heading", { name: "Webhook endpoint" }).waitFor();
    expect(await other.page.getByRole("button", { name: /Issue a token|Suspend the partner/ }).count()).toBe(
      0,
    );
  }
});

test("a partner's person registers an endpoint, tests it, sees a failed delivery and replays it; of others nothing", async () => {
  const stuck = await fixture.givenStuck("ws_of_another");
  const opened = await fixture.open("partner", "");
  const { page } = opened;
  await title(page, "Imports");
  await page.getByRole("link", { name: "ws_acme_0" }).waitFor();
  expect(await page.getByText(stuck.reference).count()).toBe(0);
  await page.goto(`${fixture.origin}/console/imports/${stuck.id}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByText(stuck.reference).count()).toBe(0);

  await page.goto(`${fixture.origin}/console/partners/${fixture.partnerId}`);
  await title(page, "Acme Desk");
  await page.getByRole("heading", { name: "Webhook endpoint" }).waitFor();
  expect(await page.getByRole("button", { name: "Pause deliveries" }).count()).toBe(0);
  await page.getByRole("button", { name: "Change endpoint" }).click();
  await page.getByRole("textbox", { name: "Endpoint" }).fill(`${fixture.receiver.url}/acme`);
  await sayWhy(page, "Save the endpoint", "it has moved");
  await page.getByText(`${fixture.receiver.url}/acme`).waitFor();

  fixture.receiver.answer(() => ({ status: 500 }));
  await page.getByRole("button", { name: "Send a test" }).click();
  await sayWhy(page, "Send a test", "does it answer?");
  await page.getByText("The test event is on its way").waitFor();
  await fixture.deliver();
  await page.reload();
  await page
    .getByText(/^500 · /)
    .first()
    .waitFor();
  await looksRight(opened, "portal");

  fixture.receiver.answer(() => ({ status: 200 }));
  await page
    .getByRole("button", { name: /^Replay/ })
    .first()
    .click();
  await sayWhy(page, "Replay the event", "mended");
  await fixture.deliver();
  expect(fixture.receiver.at("/acme").length).toBeGreaterThan(0);
  await page.reload();
  await page.getByText("Delivered", { exact: true }).first().waitFor();
});

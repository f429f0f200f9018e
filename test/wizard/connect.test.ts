import { beforeAll, expect, test } from "vitest";
import { setOAuthClient } from "../../server/src/features/tools/index.ts";
import { Secret } from "../../server/src/platform/secret.ts";
import { client, person } from "../support/authorization-server.ts";
import { type OpenedWizard, useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { createSideTools } from "./side-tools.ts";

const tools = createSideTools({ counts: { tickets: 1_243, comments: 310, contacts: 57, users: 4 } });
const fixture = useWizardFixture({ prepare: tools.prepare });
const browser = useBrowser();

const branding = { helpUrl: "https://help.acme.example/" };
const newImport = (body: Record<string, unknown> = {}, partner: object = {}) =>
  fixture.newImport({
    partner: { destinationTool: "stand-in", branding, ...partner },
    body: { source_tool: "stand-in", ...body },
  });
const fine = async ({ watch }: OpenedWizard) => {
  expect(await watch.violations()).toEqual([]);
  // Chromium itself logs what the server refuses.
  expect(watch.errors.filter((each) => !each.startsWith("Failed to load resource"))).toEqual([]);
  expect(watch.foreign).toEqual([]);
};
const typeKey = async ({ page }: OpenedWizard, address: string, key: string) => {
  await page.getByLabel("Address", { exact: true }).fill(address);
  await page.getByLabel("Token", { exact: true }).fill(key);
  await page.getByRole("button", { name: /^Check/ }).click();
};
const stateOf = (made: WizardImportUnderTest, side: "source" | "destination") =>
  made
    .ask<{ sides: Record<string, { connected: boolean; signInName: string | null }> }>("GET", "")
    .then(({ sides }) => sides[side]);

beforeAll(async () => {
  await setOAuthClient(fixture.db, fixture.sealer, "acme-cloud", {
    id: client.id,
    secret: new Secret(client.secret),
    origins: [tools.cloud.url],
  });
});

test("a key: the tool's own form, a live check, and its result", async () => {
  const made = await newImport();
  const opened = await browser.openWizard(made, { screen: "connect" });
  const { page, watch } = opened;
  expect(await page.locator("h1").textContent()).toBe("Connect your Stand-in");
  expect(await page.title()).toBe("Connect Stand-in · Acme Desk");
  await looksRight({ page, watch }, "02b-connect-key", { mayComplain: true });

  await page.getByRole("button", { name: "Check connection" }).click();
  const address = page.getByLabel("Address", { exact: true });
  expect(await address.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await address.getAttribute("aria-invalid")).toBe("true");

  const key = page.getByLabel("Token", { exact: true });
  await key.fill("shown-for-once");
  expect(await key.getAttribute("type")).toBe("password");
  await page.getByRole("button", { name: "Show" }).click();
  expect(await key.getAttribute("type")).toBe("text");

  await tools.standIn.control.setWeather({ latencyMs: 700 });
  await typeKey(opened, tools.standIn.url, tools.standIn.token);
  await page.getByRole("heading", { name: "Checking your connection" }).waitFor();
  await page.getByText("Signed in").first().waitFor();
  await page.getByText(/so far$/).waitFor();
  await looksRight({ page, watch }, "02c-connect-checking", { mayComplain: true });
  await tools.standIn.control.setWeather({ latencyMs: 0 });
  await page.getByRole("heading", { name: "Stand-in is connected" }).waitFor();
  await page.locator(".found li", { hasText: "1,243" }).waitFor();
  await looksRight({ page, watch }, "02d-connect-connected", { mayComplain: true });
  expect(await stateOf(made, "source")).toMatchObject({ connected: true });
  // Never shown again.
  await page.getByRole("button", { name: "Use another account" }).click();
  expect(await page.getByLabel("Address", { exact: true }).inputValue()).toBe(tools.standIn.url);
  expect(await page.content()).not.toContain(tools.standIn.token);
  await page.reload();
  await page.getByRole("link", { name: "Yes, continue" }).click();
  await page.getByRole("heading", { name: "Connect your Stand-in" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/imports/${made.id}/destination`);
  await fine(opened);
});

test("each problem shows what is safe, a fix in at most three steps, and a way out", async () => {
  const made = await newImport();
  const opened = await browser.openWizard(made, { screen: "connect" });
  const { page, watch } = opened;
  const expectFix = async (title: RegExp, marked: string | null) => {
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(title);
    expect(await alert.evaluate((notice) => notice === document.activeElement)).toBe(true);
    expect(await page.locator(".head").textContent()).toContain("Nothing has been copied or changed");
    const steps = await page.locator(".where ol li").count();
    expect(steps).toBeGreaterThan(0);
    expect(steps).toBeLessThanOrEqual(3);
    await page.getByRole("button", { name: "Send this step to your admin" }).waitFor();
    const invalid = await page
      .locator('[aria-invalid="true"]')
      .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).name));
    expect(invalid).toEqual(marked === null ? [] : [marked]);
  };
  await typeKey(opened, tools.standIn.url, "wrong-key-of-another");
  await expectFix(/did not accept/, "token");
  expect(await page.getByLabel("Token", { exact: true }).inputValue()).toBe("");
  await looksRight({ page, watch }, "02e-connect-error", { mayComplain: true });
  await page.getByText("Details for support").click();
  expect(await page.locator("dl.support").textContent()).toContain("wrong_key");
  expect(await page.content()).not.toContain("wrong-key-of-another");

  await typeKey(opened, "no-such-host.invalid", "key-of-another");
  await expectFix(/could not find no-such-host\.invalid/, "instanceUrl");
  // Typed without https://; the form does not ask again for accepted values.
  expect(await page.getByLabel("Address", { exact: true }).inputValue()).toBe("https://no-such-host.invalid");
  expect(await page.getByLabel("Token", { exact: true }).inputValue()).toBe("key-of-another");
  await looksRight({ page, watch }, "02e-connect-wrong-address", { mayComplain: true });

  await typeKey(opened, "http://tool.acme.example", "key-of-another");
  await expectFix(/https/, "instanceUrl");
  await typeKey(opened, "https://127.0.0.1:9", "key-of-another");
  await expectFix(/public address/, "instanceUrl");

  await tools.standIn.control.setWeather({ faults: { error: 1 } });
  await typeKey(opened, tools.standIn.url, tools.standIn.token);
  await expectFix(/not working at the moment/, null);
  await tools.standIn.control.setWeather({ faults: { error: 0 } });
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("heading", { name: "Stand-in is connected" }).waitFor();
  await fine(opened);
});

test("the partner's own application: shows the partner's name, and whom to ask for the values", async () => {
  const made = await newImport({}, { destinationTool: "destination-protocol" });
  const opened = await browser.openWizard(made, { screen: "destination" });
  const { page, watch } = opened;
  expect(await page.locator("h1").textContent()).toBe("Connect your Acme Desk");
  await page.getByText("Acme Desk gives you these values.").waitFor();
  expect(await page.getByText("we show you where").count()).toBe(0);
  const asks = page.getByRole("link", { name: "Ask Acme Desk for it" });
  expect(await asks.getAttribute("href")).toBe(branding.helpUrl);
  await looksRight({ page, watch }, "03-destination-partners-own", { mayComplain: true });
  await page.getByLabel("Connection address", { exact: true }).fill(`${tools.standIn.url}/nothing-here`);
  await page.getByLabel("Connection key", { exact: true }).fill("key-of-at-least-16-letters");
  await page.getByRole("button", { name: "Check connection" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toMatch(/no tool that can receive|did not accept/);
  await page.getByText("Look again at what Acme Desk gave you.").waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(/protocol|describe|whsec|base64/i);
  await fine(opened);
});

test("a sign-in page: there, through it, and back; denied, too late; erased here and there", async () => {
  const made = await newImport({ source_tool: "acme-cloud" });
  const opened = await browser.openWizard(made, { screen: "connect" });
  const { page, watch } = opened;
  expect(await page.getByText("We never see your password").count()).toBe(1);
  await page.getByText("Changing or deleting anything").waitFor();
  await looksRight({ page, watch }, "02a-connect-sign-in", { mayComplain: true });
  await fine(opened);
  await page.getByLabel("Acme Cloud address").fill(tools.cloud.url);
  await page.getByRole("button", { name: "Continue to Acme Cloud" }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("Acme Cloud didn't let us in");
  expect(page.url()).not.toContain("#");
  expect(await page.getByLabel("Acme Cloud address").inputValue()).toBe(tools.cloud.url);
  await looksRight({ page, watch }, "02e-connect-denied", { mayComplain: true, hasLeft: true });

  await page.getByRole("button", { name: "Continue to Acme Cloud" }).click();
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Wrong name or password").waitFor();
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  expect(await page.getByText("Portage asks for").textContent()).toBe("Portage asks for: tickets:read");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Acme Cloud is connected" }).waitFor();
  await page.getByText("Connected, read only").waitFor();
  await page.locator(".found li", { hasText: "12,430" }).waitFor();
  expect(page.url()).not.toMatch(/code|state/);
  expect(await stateOf(made, "source")).toMatchObject({ connected: true, signInName: "jo" });
  await looksRight({ page, watch }, "02d-connect-signed-in", { mayComplain: true, hasLeft: true });

  // The browser's back button does not reuse the code.
  const ended = tools.cloud.revoked.count;
  await page.getByRole("button", { name: "Erase this sign-in…" }).click();
  await page.getByRole("button", { name: "Erase sign-in" }).click();
  await page.getByRole("button", { name: "Continue to Acme Cloud" }).waitFor();
  expect(await stateOf(made, "source")).toMatchObject({ connected: false });
  expect(tools.cloud.revoked.count).toBeGreaterThan(ended);
});

test("a sign-in that returns without a session connects nothing", async () => {
  const made = await newImport({ source_tool: "acme-cloud" });
  const { url } = await made.ask<{ url: string }>("POST", "/connections/source/sign-in", {
    settings: { instanceUrl: tools.cloud.url },
  });
  const { page } = await browser.open();
  await page.goto(url);
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Open your link again" }).waitFor();
  expect(await stateOf(made, "source")).toMatchObject({ connected: false });
  await page.goto(`${fixture.url}/oauth/callback/acme-cloud?code=x&state=y`);
  await page.getByRole("heading", { name: "This sign-in took too long" }).waitFor();
});

test("a connection that the partner supplied is done: the customer only confirms the account", async () => {
  const made = await newImport(
    { destination_instance_url: tools.standIn.url, destination_token: tools.standIn.token },
    { name: "Acme Desk" },
  );
  const opened = await browser.openWizard(made, { screen: "destination" });
  const { page, watch } = opened;
  await page.getByRole("heading", { name: "Your Stand-in is ready" }).waitFor();
  await page.getByText("Verified by Acme Desk").waitFor();
  await page.getByText("Customer emails are held back").waitFor();
  expect(await page.getByRole("link", { name: "Tell Acme Desk" }).getAttribute("href")).toBe(
    branding.helpUrl,
  );
  expect(await page.content()).not.toContain(tools.standIn.token);
  await looksRight({ page, watch }, "03-destination", { mayComplain: true });
  await fine(opened);
});

test("an admin connects a side, by a link that opens this step alone and can be revoked", async () => {
  const made = await newImport();
  const opened = await browser.openWizard(made, { screen: "connect" });
  const { page, watch } = opened;
  await page.getByRole("button", { name: "Send this step to your admin" }).click();
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await page.getByLabel("Link for your admin").inputValue();
  await looksRight({ page, watch }, "02-send-to-admin", { mayComplain: true });

  const admin = await browser.openWizard({ link });
  expect(await admin.page.locator(".lead").textContent()).toContain("nothing else can be seen or done");
  expect(await admin.page.getByRole("button", { name: "Send this step to your admin" }).count()).toBe(0);
  await looksRight(admin, "02-admin", { mayComplain: true });
  await typeKey(admin, tools.standIn.url, tools.standIn.token);
  await admin.page.getByRole("heading", { name: "Thank you. Stand-in is connected" }).waitFor();
  expect(await admin.page.getByRole("link", { name: "Yes, continue" }).count()).toBe(0);
  await looksRight(admin, "02-admin-done", { mayComplain: true });
  await admin.page.goto(new URL(admin.page.url()).origin + `/imports/${made.id}/choose`);
  await admin.page.getByRole("heading", { name: "Thank you. Stand-in is connected" }).waitFor();

  // The sender of the link sees it happen.
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Stand-in is connected" }).waitFor();
  await page.getByRole("button", { name: "Use another account" }).click();
  await page.getByRole("button", { name: "Send this step to your admin" }).click();
  await page.getByRole("button", { name: /^Take back/ }).click();
  await page.getByText("The link was taken back").waitFor();
  await admin.page.reload();
  await admin.page.getByRole("heading", { name: "Open your link again" }).waitFor();
  await fine(opened);
});

test("by keyboard alone, and in a longer language", async () => {
  const made = await newImport();
  const { page } = await browser.openWizard(made, { screen: "connect" });
  const press = async (key: string, times = 1) => {
    for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
  };
  await page.locator("h1").focus();
  await press("Tab");
  await page.keyboard.type(tools.standIn.url);
  await press("Tab");
  await page.keyboard.type(tools.standIn.token);
  await press("Enter");
  await page.getByRole("heading", { name: "Stand-in is connected" }).waitFor();
  expect(await stateOf(made, "source")).toMatchObject({ connected: true });
  const long = await browser.openWizard(await newImport(), { screen: "connect", language: "en-XA" });
  await looksRight(long, "02b-connect-longer", { mayComplain: true });
});

test("shows hostile texts of a tool, a partner and a customer as text", async () => {
  const hostile = `<img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>`;
  const made = await newImport({}, { name: hostile });
  const opened = await browser.openWizard(made, { screen: "connect" });
  const { page, watch } = opened;
  await typeKey(opened, `https://${"<b>x</b>".repeat(3)}`, hostile);
  await page.getByRole("alert").waitFor();
  expect(await page.title()).not.toBe("pwned");
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await watch.violations()).toEqual([]);
});

test("a key or a sign-in page: the customer chooses once the operator has registered, and before it is the key", async () => {
  const made = await newImport({ source_tool: "acme-both" });
  const first = await browser.openWizard(made, { screen: "connect" });
  await first.page.getByLabel("Key", { exact: true }).waitFor();
  expect(await first.page.getByRole("button", { name: /own page instead/ }).count()).toBe(0);
  await first.page.close();

  await setOAuthClient(fixture.db, fixture.sealer, "acme-both", {
    id: client.id,
    secret: new Secret(client.secret),
    origins: [tools.cloud.url],
  });
  const { page, watch } = await browser.openWizard(made, { screen: "connect" });
  await page.getByText("We never see your password").waitFor();
  expect(await page.getByLabel("Key", { exact: true }).count()).toBe(0);
  await page.getByLabel("Acme Both address").fill(tools.cloud.url);
  await page.getByRole("button", { name: "Continue to Acme Both" }).click();
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Acme Both is connected" }).waitFor();

  await page.getByRole("button", { name: "Use another account" }).click();
  await page.getByRole("button", { name: "Use a key of Acme Both instead" }).click();
  await page.getByText("You copy a key from Acme Both once, or sign in on its own page.").waitFor();
  await looksRight({ page, watch }, "02f-connect-choice", { mayComplain: true, hasLeft: true });
  // The address is still there.
  await page.getByLabel("E-mail", { exact: true }).fill("jo@acme.example");
  await page.getByLabel("Key", { exact: true }).fill("a-wrong-key");
  await page.getByRole("button", { name: "Check connection" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Key", { exact: true }).fill(person.key);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("heading", { name: "Acme Both is connected" }).waitFor();
  expect(await stateOf(made, "source")).toMatchObject({ connected: true, signInName: "jo" });
  expect(await watch.violations()).toEqual([]);
});

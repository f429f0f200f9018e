import type { WizardImport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { basic } from "../support/partners.ts";
import { useBrowser } from "./browser.ts";
import { forSale, goToPay, payButton, payThere, sumOfMoney, withStripe } from "./buying.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, untilStatus } from "./moves.ts";

const { prepare, stripe } = withStripe();
const fixture = useWizardFixture({ runs: { tool: { counts: someRecords } }, prepare });
const browser = useBrowser();

const decide = async ({ id, partnerToken }: WizardImportUnderTest, what: "accept" | "reject") => {
  const answer = await fetch(`${fixture.url}/api/v2.1/imports/${id}/payment/${what}`, {
    method: "POST",
    headers: { authorization: basic(partnerToken) },
  });
  expect(answer.status).toBe(200);
};

/** Its payments at the provider, oldest first. */
const sessionsOf = ({ id }: WizardImportUnderTest) =>
  [...stripe().sessions.values()].filter(({ order }) => order.metadata?.["import_id"] === id);

test("the customer pays: packages, the provider's page, the receipt, and the move", async () => {
  const made = await forSale(fixture);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await payButton(page).waitFor();
  await page.getByText("Both accounts still connected").waitFor();
  expect(await page.getByText("Chosen for your 60 tickets.").count()).toBe(1);
  expect(await page.getByText("Fits, with 90 to spare").count()).toBe(1);
  expect(await page.getByRole("radio", { name: /Up to 50 tickets/ }).isDisabled()).toBe(true);
  await looksRight(opened, "08c-full-buy");
  // By keyboard: a larger package, and back.
  await page.getByRole("radio", { name: /Up to 150 tickets/ }).focus();
  await page.keyboard.press("ArrowDown");
  await payButton(page, "$790.00").waitFor();
  await page.keyboard.press("ArrowUp");
  await goToPay(page);
  await payThere(page);
  expect(new URL(page.url()).search).toBe("");
  await page.getByText("$349.00").first().waitFor();
  await page.getByText("Both accounts still connected").waitFor();
  await looksRight(opened, "08c-full-paid", { hasLeft: true });
  await page.getByRole("button", { name: "Start the move" }).click();
  await untilStatus(made, "migration_completed");
  expect(await sumOfMoney(fixture, made.id)).toBe("0");
});

test("a declined card, a return without payment, two tabs, and a page that was open too long", async () => {
  const made = await forSale(fixture);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await payButton(page).waitFor();
  await goToPay(page);
  await page.getByRole("button", { name: "Pay with a card that is declined" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("link", { name: "Back" }).click();
  await page.getByText("Waiting for your payment").waitFor();
  await looksRight(opened, "08c-full-paying", { hasLeft: true });
  const other = await browser.openWizard(made, { screen: "full" });
  await other.page.getByRole("button", { name: "Go on to the payment page" }).click();
  await other.page.getByRole("heading", { name: "Checkout" }).waitFor();
  const [session, ...further] = sessionsOf(made);
  expect(further).toEqual([]);
  stripe().expire(session?.id ?? "");
  await page.getByText("The payment page was open for too long").waitFor();
  await looksRight(opened, "08c-full-expired", { hasLeft: true });
  await goToPay(page);
  await payThere(page);
});

test("a customer who changes the package pays for the other one, once", async () => {
  const made = await forSale(fixture);
  const { page } = await browser.openWizard(made, { screen: "full" });
  await payButton(page).waitFor();
  await goToPay(page);
  await page.goBack();
  await page.getByRole("button", { name: "Choose another package" }).click();
  await page.getByRole("radio", { name: /Up to 500 tickets/ }).check();
  await payButton(page, "$790.00").click();
  await page.getByRole("heading", { name: "Checkout" }).waitFor();
  await payThere(page);
  expect(
    sessionsOf(made)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual(["complete", "expired"]);
});

test("while the partner decides, the customer reminds it, pays, and starts; a late yes changes nothing", async () => {
  const made = await forSale(fixture, { partner: { payer: "partner_decides" } });
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await page.getByRole("button", { name: "Ask Acme Desk to pay" }).click();
  await page.getByRole("heading", { level: 1, name: "Waiting for Acme Desk" }).waitFor();
  await page.getByRole("button", { name: "Send a reminder" }).click();
  await page.getByText(/Reminder sent/).waitFor();
  await page.getByText("Both accounts still connected").waitFor();
  await looksRight(opened, "08b-full-reminded");
  await page.getByRole("button", { name: "Pay for it yourself." }).click();
  await page.getByRole("button", { name: "Leave it to Acme Desk instead" }).waitFor();
  await goToPay(page);
  await payThere(page);
  await decide(made, "accept");
  await page.getByRole("button", { name: "Start the move" }).click();
  await untilStatus(made, "migration_completed");
  const { paid, sponsorship } = await made.ask<WizardImport>("GET", "");
  expect({ paid, sponsorship }).toEqual({ paid: true, sponsorship: "undecided" });
});

test("a partner's no leads to the packages", async () => {
  const made = await forSale(fixture, { partner: { payer: "partner_decides" } });
  await made.ask("POST", "/ask-full");
  const opened = await browser.openWizard(made, { screen: "full" });
  await decide(made, "reject");
  await opened.page.getByText("Acme Desk declined").waitFor();
  await payButton(opened.page).waitFor();
  expect(await opened.page.getByRole("button", { name: "Start the move" }).count()).toBe(0);
  await opened.page.getByText("Both accounts still connected").waitFor();
  await looksRight(opened, "08c-full-declined-buy");
});

test("an undo in time refunds the payment; starting over needs a new payment", async () => {
  const made = await forSale(fixture);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await payButton(page).waitFor();
  await goToPay(page);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.getByRole("button", { name: "Start the move" }).click();
  await untilStatus(made, "migration_completed");
  await made.ask("POST", "/runs", { kind: "undo" });
  await untilStatus(made, "migration_cleaned");
  await expect.poll(async () => (await made.ask<WizardImport>("GET", "")).paid).toBe(false);
  await made.ask("POST", "/start-over");
  await untilStatus(made, "waiting_for_sample");
  await made.ask("POST", "/runs", { kind: "sample" });
  await untilStatus(made, "sample_completed");
  const again = await browser.openWizard(made, { screen: "full" });
  await again.page.getByText(/\$349\.00 (goes back|is on its way back|was given back) to you/).waitFor();
  await payButton(again.page).waitFor();
  await again.page.getByText("Both accounts still connected").waitFor();
  await looksRight(again, "08c-full-refunded");
  expect(await sumOfMoney(fixture, made.id)).toBe("0");
});

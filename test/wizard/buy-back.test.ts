import type { WizardImport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { forSale, goToPay, payButton, payThere, sumOfMoney, withStripe } from "./buying.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, untilStatus } from "./moves.ts";

const { prepare, stripe } = withStripe();
const fixture = useWizardFixture({ runs: { tool: { counts: someRecords } }, prepare });
const browser = useBrowser();

const paid = async (made: { ask: Awaited<ReturnType<typeof forSale>>["ask"] }) =>
  (await made.ask<WizardImport>("GET", "")).paid;

test("a refund before the start: asks once more, refunds, and lets the customer pay again", async () => {
  const made = await forSale(fixture);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await goToPay(page);
  await payThere(page);
  await page.getByRole("button", { name: "Get my money back instead…" }).click();
  await page.getByRole("alertdialog").waitFor();
  await looksRight(opened, "08c-full-money-back", { hasLeft: true });
  await page.getByRole("button", { name: "Get $349.00 back" }).click();
  await page.getByText(/\$349\.00 (goes back|is on its way back|was given back) to you/).waitFor();
  await payButton(page).waitFor();
  expect(await paid(made)).toBe(false);
  await goToPay(page);
  await payThere(page);
  expect(await paid(made)).toBe(true);
  expect(await sumOfMoney(fixture, made.id)).toBe("0");
});

test("a failed move: explains it, refunds, and lets the customer pay again", async () => {
  const made = await forSale(fixture);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await goToPay(page);
  await payThere(page);
  await fixture.tool.control.setWeather({ latencyMs: 1_000 });
  await page.getByRole("button", { name: "Start the move" }).click();
  await untilStatus(made, "migration_in_progress");
  // As if a tool gave an answer that the connector does not understand.
  const fail = () =>
    fixture.db.pool.query(
      "update runs set failure_code = 'unexpected_answer' where import_id = $1 and kind = 'full' and ended_at is null",
      [made.id],
    );
  await expect.poll(async () => (await fail()).rowCount).toBe(1);
  await made.ask("POST", "/runs/stop");
  await fixture.tool.control.setWeather({ latencyMs: 0 });
  await page.getByText("The last move couldn't go on").waitFor();
  // The customer can start it again without another payment, or abandon it.
  await page.getByRole("button", { name: "Start the move" }).waitFor();
  await page.getByRole("button", { name: "Get my money back instead…" }).waitFor();
  await page.getByText("Both accounts still connected").waitFor();
  await looksRight(opened, "08c-full-could-not-go-on", { hasLeft: true });
  await page.getByRole("button", { name: "Get my money back instead…" }).click();
  await page.getByRole("button", { name: "Get $349.00 back" }).click();
  await page.getByText(/\$349\.00 (goes back|is on its way back|was given back) to you/).waitFor();
  await payButton(page).waitFor();
  expect(await paid(made)).toBe(false);
  await goToPay(page);
  await payThere(page);
  await page.getByRole("button", { name: "Start the move" }).click();
  await untilStatus(made, "migration_completed");
  expect(await sumOfMoney(fixture, made.id)).toBe("0");
});

test("tells a customer who paid twice, and refunds one payment", async () => {
  const made = await forSale(fixture);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await goToPay(page);
  const first = [...stripe().sessions.values()].find(
    ({ order }) => order.metadata?.["import_id"] === made.id,
  );
  // As if the checkout expired here while its page stayed open in another tab.
  await fixture.db.pool.query(
    "update checkouts set state = 'expired', next_look_at = null where import_id = $1",
    [made.id],
  );
  await page.goBack();
  await goToPay(page);
  await payThere(page);
  stripe().pay(first?.id ?? "");
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByText("Paid. Ready when you are.").waitFor();
      return page.getByText("You've paid twice").count();
    })
    .toBe(1);
  await page.getByText("Both accounts still connected").waitFor();
  await looksRight(opened, "08c-full-paid-twice", { hasLeft: true });
  expect(await paid(made)).toBe(true);
  await expect
    .poll(async () => {
      const { rows } = await fixture.db.pool.query<{ state: string; reason: string }>(
        "select state, reason from refunds where import_id = $1",
        [made.id],
      );
      return rows;
    })
    .toEqual([{ state: "done", reason: "paid_twice" }]);
  expect(await sumOfMoney(fixture, made.id)).toBe("0");
});

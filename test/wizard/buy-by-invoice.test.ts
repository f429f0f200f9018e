import type { WizardImport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { createProgram } from "../support/program.ts";
import { useBrowser } from "./browser.ts";
import { forSale, payButton } from "./buying.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords } from "./moves.ts";

const fixture = useWizardFixture({
  runs: { tool: { counts: someRecords } },
  env: { PAYMENTS: "manual" },
});
const browser = useBrowser();
const portage = createProgram(() => fixture.env);

test("records an order; the page shows by itself that the operator received the payment", async () => {
  const made = await forSale(fixture);
  const opened = await browser.openWizard(made, { screen: "full" });
  const { page } = opened;
  await payButton(page, "$349.00", "Place the order").click();
  await page.getByText(/^Your order is noted\./).waitFor();
  await page.getByText("Both accounts still connected").waitFor();
  await looksRight(opened, "08c-full-order-noted");
  expect(await portage.json("billing", "mark-paid", made.id)).toMatchObject({ settled: "bought" });
  await page.getByText("Paid. Ready when you are.").waitFor();
  expect((await made.ask<WizardImport>("GET", "")).status.code).toBe("in_preparation");
});

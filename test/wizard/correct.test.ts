import type { WizardImport, WizardSampleRecords } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { looksRight } from "./looks-right.ts";
import { someRecords, untilStatus } from "./moves.ts";
import { createTwoTools } from "./two-tools.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const tools = createTwoTools(
  { counts: someRecords, hostile: false, largeText: 0 },
  {
    counts: { ...someRecords, tickets: 0 },
    words: {
      status: [
        { value: "new", label: "New", kind: "new" },
        { value: "open", label: "Open", kind: "open" },
        { value: "closed", label: "Closed", kind: "closed" },
      ],
    },
  },
);
const fixture = useWizardFixture({ runs: true, prepare: tools.prepare });
const browser = useBrowser();

test("a value is wrong: corrected in its matching, and only its records are copied again", async () => {
  const made = await tools.connected(fixture);
  await made.ask("POST", "/runs", { kind: "sample" });
  await untilStatus(made, "sample_completed");
  const statuses = async () => {
    const path = "/sample/records?stream=tickets&limit=200";
    const { records } = await made.ask<WizardSampleRecords>("GET", path);
    return new Map(
      records.map(({ id, destinationId, fields }) => {
        const status = fields.find(({ field }) => field === "status");
        return [id, { before: status?.before, after: status?.after, destinationId }] as const;
      }),
    );
  };
  const before = await statuses();
  const wrong = [...before.values()].find(({ after }) => after !== "Closed")?.before;
  const opened = await browser.openWizard(made);
  const { page } = opened;
  await page
    .getByRole("button", { name: /^This is wrong ?: Status$/ })
    .first()
    .click();
  await page.waitForURL(/\/fields#tickets\.status$/);
  expect((await made.ask<WizardImport>("GET", "")).status.code).toBe("waiting_for_sample");
  const choice = page.getByLabel(`Status “${wrong}” becomes`);
  const concerned = [...before].filter(([, status]) => status.before === wrong).map(([id]) => id);
  expect(concerned.length).toBeGreaterThan(0);
  expect(concerned.length).toBeLessThan(before.size);
  await choice.selectOption({ label: "Closed" });
  await page.getByText("Copies again what your changes concern.").waitFor();
  await page.getByText("All changes are saved.").waitFor();
  await looksRight(opened, "05b-fields-corrected");
  const { writes } = await tools.destination.control.stats();
  await page.getByRole("button", { name: "Run the sample again" }).click();
  await page.getByRole("heading", { level: 1, name: "Your sample is ready. Take a look." }).waitFor();
  // By the tool's own count of what it took.
  const now = await tools.destination.control.stats();
  expect((now.writes["tickets"]?.items ?? 0) - (writes["tickets"]?.items ?? 0)).toBe(concerned.length);
  expect({ ...now.writes, tickets: null }).toEqual({ ...writes, tickets: null });
  expect(now.duplicates).toBe(0);
  const after = await statuses();
  for (const [id, { destinationId, after: was }] of before) {
    expect(after.get(id)?.destinationId, id).toBe(destinationId);
    if (!concerned.includes(id)) expect(after.get(id)?.after, id).toBe(was);
  }
  expect(new Set(concerned.map((id) => after.get(id)?.after))).toEqual(new Set(["Closed"]));
});

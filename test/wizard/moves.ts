import { setTimeout as sleep } from "node:timers/promises";
import type { WizardImport } from "@portage/contract/wizard";
import type { NewImportOptions, WizardFixture, WizardImportUnderTest } from "./wizard-fixture.ts";
import { patienceMs } from "../support/patience.ts";

/** Few enough for a test, of every kind. */
export const someRecords = {
  users: 6,
  organizations: 8,
  contacts: 20,
  groups: 2,
  tickets: 60,
  comments: 90,
  attachments: 10,
  articles: 3,
};

/** Waits until an import has this status, by polling as a partner's page might. */
export const untilStatus = async (made: WizardImportUnderTest, code: string): Promise<void> => {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const { status, warnings } = await made.ask<WizardImport>("GET", "");
    if (status.code === code) return;
    if (Date.now() > giveUpAt)
      throw new Error(`The import is at ${status.code}, not ${code}: ${JSON.stringify(warnings)}`);
    await sleep(50);
  }
};

/** An import with a completed sample. */
export const withSample = async (
  fixture: WizardFixture,
  options: NewImportOptions = {},
): Promise<WizardImportUnderTest> => {
  const made = await fixture.newImport(options);
  await fixture.connectBoth(made);
  await made.ask("POST", "/runs", { kind: "sample" });
  await untilStatus(made, "sample_completed");
  return made;
};

/** An import with a running full move. */
export const underWay = async (
  fixture: WizardFixture,
  options: NewImportOptions = {},
): Promise<WizardImportUnderTest> => {
  const made = await fixture.newImport({ ...options, body: { start_full: true, ...options.body } });
  await fixture.connectBoth(made);
  await untilStatus(made, "migration_in_progress");
  return made;
};

/** An import with a completed full move. */
export const moved = async (
  fixture: WizardFixture,
  options: NewImportOptions = {},
): Promise<WizardImportUnderTest> => {
  const made = await underWay(fixture, options);
  await untilStatus(made, "migration_completed");
  return made;
};

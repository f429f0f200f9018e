import type { Connector } from "@portage/connector-kit";
import { verifySummary, type SignedSummary } from "@portage/contract/report-summary";
import type { WizardPreflight, WizardReport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { useRunWizard } from "../../../../../test/support/run-wizard.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";

const wizard = useRunWizard();
const counts = {
  users: 1,
  tickets: 3,
  comments: 0,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};

const measurable = () =>
  standInConnector({
    family: "helpdesk",
    paging: "keyset",
    settles: "lookup",
    silence: "log",
  }) as never as Connector<never>;

test("a measurement shows before the next move, and in the report and its summary", async () => {
  const one = await wizard.begin({ source: { counts }, changed: measurable });
  const silence = async () => ((await one.ask("GET", "/preflight")).json as WizardPreflight).silence;
  expect(await silence()).toEqual({ kind: "measured", last: null });
  one.destination.notify(true);
  await one.run({ type: "full_started" });
  expect(await silence()).toMatchObject({
    kind: "measured",
    last: {
      records: 6,
      caught: {
        label: expect.any(String),
        subject: expect.any(String),
        mend: expect.stringContaining("Switch off"),
      },
    },
  });
  one.destination.notify(false);
  await one.run({ type: "full_started" });
  expect(await silence()).toMatchObject({ kind: "measured", last: { records: 6, caught: null } });
  const report = (await one.ask("GET", "/report")).json as WizardReport;
  expect(report.silence).toMatchObject({ records: 6, messages: 0, at: expect.stringMatching(/^20\d\d-/) });
  const signed = (await one.ask("GET", "/report/summary")).json as SignedSummary;
  const keys = await (await fetch(`${wizard.origin}/.well-known/portage-report-keys.json`)).json();
  const verified = verifySummary(signed, keys as Parameters<typeof verifySummary>[1]);
  expect(verified).toMatchObject({ kind: "genuine", summary: { silence: { records: 6, messages: 0 } } });
});

test("what can't be measured is promised, and the report says that it was not measured", async () => {
  const one = await wizard.begin({ source: { counts } });
  await one.run({ type: "full_started" });
  expect((await one.ask("GET", "/preflight")).json).toMatchObject({ silence: { kind: "promised" } });
  expect((await one.ask("GET", "/report")).json).toMatchObject({ silence: null });
  expect((await one.ask("GET", "/report/summary")).json).toMatchObject({ summary: { silence: null } });
});

import { ConnectorError, type SourceStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { failureText } from "./failure-text.ts";

const { given, database, latestRun } = useKinds();

const unpaid = new ConnectorError({
  recovery: "abort",
  code: "payment_required",
  message: "Acme Desk asks for a payment (402).",
});

const failing =
  (broken: { error: ConnectorError | null }) =>
  (stream: SourceStream): SourceStream => ({
    ...stream,
    readPage: async (io, at) => {
      if (broken.error) throw broken.error;
      return stream.readPage(io, at);
    },
  });

test("the import reports why a run could not continue: to the partner, and with its last run", async () => {
  const broken: { error: ConnectorError | null } = { error: unpaid };
  const { one } = await given({ reading: failing(broken) });
  const warnings = async () =>
    (
      await database().query("select code, stream, message from import_warnings where import_id = $1", [
        one.importId,
      ])
    ).rows;
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("in_preparation");
  expect(await warnings()).toEqual([
    {
      code: "run_failed",
      stream: "full",
      message:
        "The last run could not go on. Acme Desk asks for a payment (402). Nothing was lost; it can be started again.",
    },
  ]);
  expect(await latestRun(one.importId)).toMatchObject({
    state: "failed",
    failure: { code: "payment_required", message: "Acme Desk asks for a payment (402)." },
  });
  // Another error the next time.
  broken.error = new ConnectorError({ recovery: "abort", code: "insecure", message: "Acme must use https." });
  await one.run({ type: "full_started" });
  expect(await warnings()).toMatchObject([{ message: expect.stringContaining(" Acme must use https. ") }]);
  broken.error = null;
  await one.run({ type: "full_started" });
  expect(await latestRun(one.importId)).toMatchObject({ state: "done", failure: null });
});

test("a tool's message about one record is not shown, since it may quote it", () => {
  const said = (code: string) =>
    failureText(
      new ConnectorError({ recovery: "skip-record", code, message: "“Kim's pay slip” is no valid subject." }),
    );
  expect(said("rejected")).toBe("A tool refused something that is needed to go on.");
  expect(said("forbidden")).toBe("The sign-in to a tool does not have the rights that are needed.");
  expect(failureText(unpaid)).toBe("Acme Desk asks for a payment (402).");
});

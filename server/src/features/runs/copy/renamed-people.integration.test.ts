import { expect, test } from "vitest";
import { copiesOf, edit, subjectOf, useKinds } from "../../../../../test/runs/kinds-fixture.ts";

const { given, ledgerId } = useKinds();

const authorOf = (record: object) =>
  (record as { readonly author?: { readonly id: string | null } | null }).author;

test("a person who is renamed in the new tool makes no copy that names them an edited one", async () => {
  const { one, source, destination } = await given();
  await one.run({ type: "full_started" });
  const named = copiesOf(destination, "tickets").filter(({ record }) => authorOf(record)?.id != null);
  expect(named.length).toBeGreaterThan(5);
  for (const copy of named)
    edit(destination, copy.id, {
      author: { ...authorOf(copy.record), name: "Ann Lee", email: "ann.lee@acme.example" },
    });
  const id = await ledgerId(one.importId, "7");
  expect(named.map((copy) => copy.id)).toContain(id);
  source.source.get("tickets")?.update("7", { subject: "changed at the source" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(subjectOf(destination, id)).toBe("changed at the source");
  await one.run({ type: "undo_started" });
  expect(destination.stats()).toMatchObject({ written: 0 });
});

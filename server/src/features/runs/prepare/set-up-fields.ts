import { ConnectorError, type FieldOutcome, type FieldSetup, type NewField } from "@portage/connector-kit";
import { hash } from "node:crypto";
import { momentNow } from "../../../platform/moment.ts";
import type { FieldToCreate } from "../../mapping/index.ts";
import { type ChunkContext, type RunMapping, sharedAccount } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import { startWriteDeadline } from "../chunk/write-deadline.ts";
import { patience } from "../copy/judge-outcomes.ts";
import { claimField, forgetField, keyField, registerUses, settleField } from "../ledger/store-fields.ts";

/** The mark by which a field is recognised as this import's: one per stream and field, 63 characters. */
export const fieldMark = (importId: string, stream: string, sourceKey: string): string =>
  `${importId}:${hash("sha256", `field\0${stream}\0${sourceKey}`, "hex").slice(0, 32)}`;

export type SetUp =
  | { readonly kind: "ready" }
  /** A request may still take effect: the run looks again after this time. */
  | { readonly kind: "later"; readonly delayMs: number }
  | { readonly kind: "fenced" };

interface WantedField {
  readonly stream: string;
  readonly sourceKey: string;
  readonly mark: string;
  readonly label: string;
  create(io: Parameters<FieldSetup["create"]>[0]): Promise<FieldOutcome>;
}

const newField = ({ label, type, options }: FieldToCreate, mark: string): NewField => ({
  mark,
  label,
  type,
  ...(options ? { options } : {}),
});

const refused = (message: string) =>
  new ConnectorError({ recovery: "abort", code: "field_not_created", message });

/** The fields for keys first: without them the destination takes no record. */
const wantedFields = ({ lease, streams }: ChunkContext, mapping: RunMapping): readonly WantedField[] => {
  const used = streams.filter(({ name, to }) => to !== null && mapping.includes(name));
  const markOf = (stream: string, sourceKey: string) => fieldMark(lease.importId, stream, sourceKey);
  const forKeys = used.flatMap(({ name, to }): WantedField[] => {
    const setup = to?.fieldSetup;
    const mark = markOf(name, keyField);
    return setup?.createKeyField
      ? [
          {
            stream: name,
            sourceKey: keyField,
            mark,
            label: "",
            create: async (io) => (await setup.createKeyField?.(io, mark)) ?? noAnswer,
          },
        ]
      : [];
  });
  const chosen = mapping.creations.flatMap((field): WantedField[] => {
    const pair = used.find(({ name }) => name === field.stream);
    if (!pair) return [];
    const setup = pair.to?.fieldSetup;
    if (!setup)
      throw refused(
        `The field “${field.label}” can't be created. Choose another place for it in the matching.`,
      );
    const { stream, sourceKey, label } = field;
    const mark = markOf(stream, sourceKey);
    return [{ stream, sourceKey, mark, label, create: (io) => setup.create(io, newField(field, mark)) }];
  });
  return [...forKeys, ...chosen];
};

const noAnswer: FieldOutcome = { kind: "unknown", why: "The tool did not answer." };

const setUpField = async (ctx: ChunkContext, wanted: WantedField): Promise<SetUp> => {
  const { db, lease, times, destination } = ctx;
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  const graceMs = lateWriteMs + findLagMs;
  const startedAt = momentNow();
  const claim = await claimField(
    db,
    lease,
    sharedAccount(destination),
    { ...wanted, as: "creating" },
    { ...times, graceMs },
  );
  if (claim.kind === "wait") return { kind: "later", delayMs: claim.ms };
  if (claim.kind !== "claimed") return { kind: "fenced" };
  const deadline = startWriteDeadline(ctx, startedAt, false);
  let outcome: FieldOutcome = noAnswer;
  try {
    if (deadline.maySend())
      outcome = await onSide("destination", () =>
        wanted.create(destination.io(deadline.signal, deadline.maySend)),
      );
  } finally {
    deadline.close();
  }
  switch (outcome.kind) {
    case "created":
    case "found": {
      const { kind: state, field } = outcome;
      return (await settleField(db, lease, wanted, { state, field }))
        ? { kind: "ready" }
        : { kind: "fenced" };
    }
    case "rejected":
      if (!(await forgetField(db, lease, wanted))) return { kind: "fenced" };
      // Without the right to add it, the connector says what to do when it writes the first record.
      if (wanted.sourceKey === keyField) return { kind: "ready" };
      throw refused(
        `The field “${wanted.label}” could not be created: ${outcome.message} Nothing was copied. Choose another place for it in the matching, or try again.`,
      );
    case "unknown":
      if (lease.failures >= patience)
        throw refused(`Whether the field “${wanted.label}” was created stays unknown: ${outcome.why}`);
      return { kind: "later", delayMs: times.writeMs + graceMs };
  }
};

/**
 * Creates the fields that the mapping asks for, before anything is copied, and that for external keys. Each is claimed
 * before the call and looked up by its mark, so that an interrupted attempt never leads to two.
 */
export const setUpFields = async (ctx: ChunkContext, mapping: RunMapping): Promise<SetUp> => {
  await registerUses(ctx.db, ctx.lease.importId, sharedAccount(ctx.destination), mapping.uses);
  for (const wanted of wantedFields(ctx, mapping)) {
    const made = await setUpField(ctx, wanted);
    if (made.kind !== "ready") return made;
  }
  return { kind: "ready" };
};

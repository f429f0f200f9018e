import type { Connector, FamilyRecord, Outcome } from "@portage/connector-kit";

/** The outcome that a destination returns instead of writing a record; null: it writes the record. */
export type Refuse = (stream: string, record: FamilyRecord) => Outcome | null;

/** The same connector for a tool that rejects some records. */
export const refusing = (connector: Connector<never>, refuse: Refuse): Connector<never> => ({
  ...connector,
  destination: {
    helpdesk: (connector.destination?.helpdesk ?? []).map((stream) => ({
      ...stream,
      write: async (io, batch) => {
        const refused = batch.map(({ record }) => refuse(stream.stream.name, record));
        const taken = batch.filter((_, index) => refused[index] === null);
        const outcomes = taken.length > 0 ? [...(await stream.write(io, taken))] : [];
        return refused.map(
          (answer) => answer ?? (outcomes.shift() as Outcome<FamilyRecord>),
        ) as Outcome<FamilyRecord>[];
      },
    })),
  },
});

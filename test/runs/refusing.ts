import type { Connector, FamilyRecord, Outcome } from "@portage/connector-kit";

/** What a destination answers to a record in place of writing it; null: it is written. */
export type Refuse = (stream: string, record: FamilyRecord) => Outcome | null;

/** The same connector for a tool that does not take everything. */
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

import type { Connector, DestinationStream, FamilyRecord, Outcome, Write } from "@portage/connector-kit";
import { plain } from "./kinds-fixture.ts";

interface Losing {
  /** Whether the answer to this write is lost; the write itself takes effect. */
  loses(write: Write<FamilyRecord>): boolean;
  /** The part of a record that the first of several requests writes. */
  readonly half?: (record: FamilyRecord) => FamilyRecord;
  readonly isUntouched?: (id: string) => boolean;
}

/** As with many tools, a read does not return exactly what was written. */
const asRead = (record: FamilyRecord | null): FamilyRecord | null =>
  record === null ? null : { ...record, tags: [...record.tags, "read"] };

/** The same tool, but it converts tickets, and some answers never come. */
export const losing = ({ loses, half = (record) => record, isUntouched }: Losing): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (stream.stream.name !== "tickets") return stream;
    return {
      ...stream,
      write: async (io, batch) => {
        const lost = batch.map((write) => loses(write));
        const sent = batch.map((write, index) =>
          lost[index] ? { ...write, record: half(write.record) } : write,
        );
        const outcomes = await stream.write(io, sent);
        return outcomes.map((outcome, index): Outcome<FamilyRecord> => {
          if (lost[index]) return { kind: "unknown", why: "The answer was lost." };
          return outcome.kind === "written" ? { kind: "written", id: outcome.id } : outcome;
        });
      },
      read: async (io, ids) => (await stream.read(io, ids)).map(asRead),
      ...(isUntouched ? { isUntouched: async (_, ids) => ids.map(isUntouched) } : {}),
    };
  });
  return { ...connector, destination: { helpdesk: streams } };
};

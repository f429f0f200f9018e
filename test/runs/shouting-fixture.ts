import {
  type Connector,
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  type Outcome,
  type Write,
} from "@portage/connector-kit";
import { plain } from "./kinds-fixture.ts";

export interface Ticket extends FamilyRecord {
  readonly subject: string;
}

/** `lost`: it takes effect, and its answer gets lost. `dropped`: neither. */
export type Fate = "ok" | "lost" | "dropped" | "refused";

interface Oddities {
  /** Whether the tool does not show this copy. */
  hides?(id: string): boolean;
  /** After an update whose answer is lost took effect. */
  afterLost?(write: Write<Ticket>): void;
  /** Before each update. */
  slow?(): Promise<unknown>;
}

const shown = (record: Ticket): Ticket => ({ ...record, subject: record.subject.toUpperCase() });

const forbidden = () =>
  new ConnectorError({ recovery: "skip-record", code: "forbidden", message: "Not shown.", status: 403 });

/** A tool that shows subjects in capitals; its connector changes only what differs. `fateOf`: of an update. */
export const shouting = (
  fateOf: (write: Write<Ticket>) => Fate | Promise<Fate>,
  { hides = () => false, afterLost = () => {}, slow = async () => {} }: Oddities = {},
): Connector => {
  const connector = plain();
  const change = (stream: DestinationStream<Ticket>): DestinationStream<Ticket> => {
    const read: DestinationStream<Ticket>["read"] = async (io, ids) => {
      if (ids.some(hides)) throw forbidden();
      return (await stream.read(io, ids)).map((record) => record && shown(record));
    };
    const writeOne = async (
      io: Parameters<typeof stream.write>[0],
      write: Write<Ticket>,
    ): Promise<Outcome<Ticket>> => {
      const { subject } = shown(write.record);
      const changes = [
        { field: "subject", change: "converted", why: "This tool has capitals only.", becomes: subject },
      ] as const;
      if (write.id !== null) await slow();
      const [now] = write.id === null ? [] : await read(io, [write.id]);
      if (write.id !== null && now?.subject === subject)
        return { kind: "written", id: write.id, record: now, changes };
      const fate = write.id === null ? "ok" : await fateOf(write);
      if (fate === "dropped") return { kind: "unknown", why: "No answer." };
      if (fate === "refused") return { kind: "rejected", code: "odd", message: "The tool did not like it." };
      const [outcome] = await stream.write(io, [write]);
      if (fate === "lost") afterLost(write);
      if (fate === "lost" || !outcome) return { kind: "unknown", why: "No answer." };
      return outcome.kind === "written" && outcome.record
        ? { ...outcome, record: shown(outcome.record), changes }
        : outcome;
    };
    const write: DestinationStream<Ticket>["write"] = async (io, batch) => {
      const outcomes: Outcome<Ticket>[] = [];
      for (const each of batch) outcomes.push(await writeOne(io, each));
      return outcomes;
    };
    return { ...stream, read, write };
  };
  const streams = (connector.destination?.helpdesk ?? []).map((stream) =>
    stream.stream.name === "tickets" ? change(stream as unknown as DestinationStream<Ticket>) : stream,
  );
  return { ...connector, destination: { helpdesk: streams } };
};

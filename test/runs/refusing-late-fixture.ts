import {
  type Connector,
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  type Outcome,
  type Write,
} from "@portage/connector-kit";
import { plain } from "./kinds-fixture.ts";

interface RefusingLate {
  /** Whether the tool refuses this write after it took effect. */
  refuses(write: Write<FamilyRecord>): boolean;
  /**
   * How the connector reports it: by an error for the whole batch, as one that did not think of it, or as `rejected`, as one
   * whose tool answers a single request with a refusal and keeps the record.
   */
  readonly by: "throwing" | "rejecting";
  /** Whether the tool refuses to look up or to show these. */
  hides?(what: { readonly key?: string; readonly id?: string }): boolean;
  /** What the tool says of a copy that it refused; absent: it has no such mark. */
  readonly isUntouched?: boolean;
}

const forbidden = () =>
  new ConnectorError({
    recovery: "skip-record",
    code: "forbidden",
    message: "The tool does not allow this account to do that.",
    status: 403,
  });

/** The same tool, but it refuses some tickets after it took them, and refuses to show some. */
export const refusingLate = ({ refuses, by, hides = () => false, isUntouched }: RefusingLate): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (stream.stream.name !== "tickets") return stream;
    return {
      ...stream,
      write: async (io, batch) => {
        const outcomes = await stream.write(io, batch);
        const refused = batch.map((write) => refuses(write));
        if (by === "throwing" && refused.includes(true)) throw forbidden();
        return outcomes.map(
          (outcome, index): Outcome<FamilyRecord> =>
            refused[index]
              ? { kind: "rejected", code: "forbidden", message: "The tool refused it." }
              : outcome,
        );
      },
      find: async (io, asked) => {
        if (asked.some(({ key }) => hides({ key }))) throw forbidden();
        return stream.find(io, asked);
      },
      read: async (io, ids) => {
        if (ids.some((id) => hides({ id }))) throw forbidden();
        return stream.read(io, ids);
      },
      ...(isUntouched === undefined ? {} : { isUntouched: async (_, ids) => ids.map(() => isUntouched) }),
    };
  });
  return { ...connector, destination: { helpdesk: streams } };
};

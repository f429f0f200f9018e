import { type Finding, inWords, streamWords } from "./finding.ts";
import type { StreamLook } from "./look-at-streams.ts";
import { concernsAll } from "./tool-trouble.ts";
import { type DestinationStream, type Io, isConnectorError, isRemovable } from "@portage/connector-kit";

/** Selected streams that can't be read. */
export const findUnreadable = (looks: readonly StreamLook[], label: string): readonly Finding[] =>
  looks.flatMap(({ stream, refused, count }) =>
    refused === null
      ? []
      : [
          {
            code: "cannot_read",
            level: "blocks",
            side: "source",
            stream: stream.name,
            message: `${label} does not let us read ${streamWords(stream.family, stream.name)}.`,
            fix: `Give the account that is connected the right to read them, or leave ${streamWords(stream.family, stream.name)} out.`,
            count: count ?? 1,
          },
        ],
  );

/** Streams to copy that the destination can't remove again. */
export const findNotUndoable = (looks: readonly StreamLook[], offered: readonly DestinationStream[]) =>
  looks
    .filter(({ to, count }) => to !== null && count !== 0 && !isRemovable(to, offered))
    .map(({ stream: { name, label } }) => ({ stream: name, label }));

/** Streams whose copy may notify people, as the destination's connector does not guarantee silence. */
export const findNoisy = (looks: readonly StreamLook[], label: string): readonly Finding[] =>
  looks
    .filter(({ to, count }) => to !== null && count !== 0 && !to.guarantees.includes("silent"))
    .map(({ stream, count }) => ({
      code: "may_notify",
      level: "warns",
      side: "destination",
      stream: stream.name,
      message: `${label} may send messages to people while ${streamWords(stream.family, stream.name)} are copied.`,
      fix: `Switch off notifications in ${label} until the copy is done.`,
      count: count ?? 1,
    }));

/** The remaining capacity of the destination's plan for a stream; null: unknown. */
const roomIn = async ({ to }: StreamLook, io: Io): Promise<number | null> => {
  try {
    return (await to?.remainingCapacity?.(io)) ?? null;
  } catch (error) {
    // A refusal means that the capacity is unknown.
    if (!isConnectorError(error) || concernsAll(error)) throw error;
    return null;
  }
};

export interface RoomNeeds {
  readonly io: Io;
  readonly label: string;
  /** Counts records of a stream that need no write as they are there already: copies and matched people. */
  readonly thereAlready: (stream: string) => Promise<number>;
  /** False: the run copies only a part of the records, of unknown size. */
  readonly copiesAll: boolean;
}

/** Streams that exceed the remaining capacity of the destination's plan. */
export const findNoRoom = async (
  looks: readonly StreamLook[],
  { io, label, thereAlready, copiesAll }: RoomNeeds,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const look of looks) {
    const { stream, to, count, exact } = look;
    if (!to?.remainingCapacity || count === null || count === 0) continue;
    const room = await roomIn(look, io);
    if (room === null || count <= room) continue;
    const more = count - (await thereAlready(stream.name));
    if (more <= room) continue;
    const words = streamWords(stream.family, stream.name);
    const left = Math.max(0, room);
    const isSure = exact && copiesAll;
    findings.push({
      code: "no_room",
      level: isSure ? "blocks" : "warns",
      room: left,
      ...(!isSure && { variant: "up_to" }),
      side: "destination",
      stream: stream.name,
      message: `The plan of ${label} has too little room for ${words}: room for ${inWords(left)} more, and ${isSure ? "" : "up to "}${inWords(more)} to copy.`,
      fix: `Change the plan of ${label}, make room there, or leave something out.`,
      count: more - left,
    });
  }
  return findings;
};

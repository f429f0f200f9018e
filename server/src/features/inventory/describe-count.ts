import type { FoundStream } from "@portage/contract/wizard";
import type { StreamCount } from "./source-counts.ts";

const stateOf = ({ look }: StreamCount, counting: boolean): FoundStream["state"] => {
  if (look === null) return counting ? "counting" : "untold";
  if (look.refused) return "refused";
  return look.count === null ? "untold" : "counted";
};

/** Describes a stream's count without claiming more than is known. */
export const describeCount = (counted: StreamCount, counting: boolean): FoundStream => {
  const { stream } = counted.from;
  return {
    name: stream.name,
    label: stream.label,
    state: stateOf(counted, counting),
    count: counted.look?.count ?? null,
    exact: counted.look?.exact ?? false,
    bytes: counted.look?.bytes ?? null,
  };
};

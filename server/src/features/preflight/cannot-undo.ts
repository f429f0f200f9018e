import { type DestinationStream, isRemovable } from "@portage/connector-kit";
import type { StreamLook } from "./look-at-streams.ts";

/** The kinds that would be copied, and that the new tool has no way to remove again. */
export const findStaying = (looks: readonly StreamLook[], offered: readonly DestinationStream[]) =>
  looks
    .filter(({ to, count }) => to !== null && count !== 0 && !isRemovable(to, offered))
    .map(({ stream: { name, label } }) => ({ stream: name, label }));

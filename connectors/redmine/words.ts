import type { FieldOption } from "@portage/connector-kit";
import {
  accountOf,
  activitiesOf,
  prioritiesOf,
  type Status,
  statusesOf,
  type Tracker,
  trackersOf,
} from "./catalog.ts";
import { priorityKind } from "./kinds.ts";
import type { RedmineIo } from "./settings.ts";

type Words = Readonly<Record<string, readonly FieldOption[]>>;

const wordOf = (name: string, kind?: string): FieldOption => ({
  value: name,
  label: name,
  ...(kind && { kind }),
});

/** The trackers, statuses and priorities of this instance; the last two with their meaning in the family. */
export const issueWords = async (
  io: RedmineIo,
  kindOf: (status: Status, trackers: readonly Tracker[]) => string,
): Promise<Words> => {
  await accountOf(io);
  const [trackers, statuses, priorities] = await Promise.all([
    trackersOf(io),
    statusesOf(io),
    prioritiesOf(io),
  ]);
  return {
    status: statuses.map((status) => wordOf(status.name, kindOf(status, trackers))),
    priority: priorities
      .filter(({ active }) => active)
      .map(({ id, name }) => wordOf(name, priorityKind(id, priorities))),
    type: trackers.map(({ name }) => wordOf(name)),
  };
};

export const activityWords = async (io: RedmineIo): Promise<Words> => {
  await accountOf(io);
  const activities = await activitiesOf(io);
  return { activity: activities.filter(({ active }) => active).map(({ name }) => wordOf(name)) };
};

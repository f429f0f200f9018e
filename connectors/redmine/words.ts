import type { FieldOption } from "@portage/connector-kit";
import { catalogOf, type Status, type Tracker } from "./catalog.ts";
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
  const catalog = catalogOf(io);
  await catalog.account();
  const [trackers, statuses, priorities] = await Promise.all([
    catalog.trackers(),
    catalog.statuses(),
    catalog.priorities(),
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
  const catalog = catalogOf(io);
  await catalog.account();
  const activities = await catalog.activities();
  return { activity: activities.filter(({ active }) => active).map(({ name }) => wordOf(name)) };
};

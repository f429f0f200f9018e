import type { ScreenName } from "../../app/screen-names.ts";

/** Where in the wizard a customer can mend what kept records out. */
export type FixPlace = Extract<ScreenName, "fields" | "connect" | "destination">;

const places: ReadonlyMap<string, FixPlace> = new Map(
  Object.entries({
    rejected: "fields",
    required_empty: "fields",
    unknown_field: "fields",
    missing_custom_field: "fields",
    forbidden: "destination",
    module_off: "destination",
    no_project: "destination",
    no_queue: "destination",
    no_class: "destination",
    setup_needed: "destination",
    not_private: "destination",
    not_shown: "connect",
  }),
);

/** Null: there is nothing to decide here; some causes pass by themselves. */
export const fixPlaceOf = (code: string): FixPlace | null => places.get(code) ?? null;

/** Whether the matching can be mended right at the cause, with a look at its records. */
export const isMendedHere = (code: string): boolean => fixPlaceOf(code) === "fields";

/** Whether another try brings the same: only people can bring these over, by hand. */
export const isFinal = (code: string): boolean => code === "ticket_closed";

/** Whether a retry takes up the records of a cause: those that failed, and changes that could not be made. */
export const isRetried = (what: "failed" | "skipped" | "behind", code: string): boolean =>
  what === "failed" || (what === "behind" && code === "update_failed");

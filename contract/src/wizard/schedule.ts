/** GET and PUT …/schedule: when the full move starts; null: no time is planned. */
export interface WizardSchedule {
  readonly schedule: {
    readonly startsAt: string;
    /** IANA: Europe/Berlin. The time is shown in it. */
    readonly timeZone: string;
    /** `starting`: the checks before the start are under way. `missed`: it could not start. */
    readonly state: "planned" | "starting" | "missed";
    readonly missedBecause: "sign_in" | "unpaid" | "blocked" | null;
  } | null;
  /** The latest time that can be planned. */
  readonly latest: string;
}

/** PUT …/schedule. */
export interface SchedulePlan {
  /** A time on the clocks of the time zone: 2026-11-21T22:00. */
  readonly local: string;
  readonly timeZone: string;
}

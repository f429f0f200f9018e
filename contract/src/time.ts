/** Years that both PostgreSQL and our ids can hold: an id begins with the time since 1970. */
export const isStorableTime = (at: Date): boolean =>
  at.getUTCFullYear() >= 1971 && at.getUTCFullYear() <= 9999;

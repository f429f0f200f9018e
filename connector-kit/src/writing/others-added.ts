/**
 * Whether something is on a copy that no import wrote, and that would go with it. `keys`: of all that hangs on the copy, null for
 * what has none. Each key counts once, and not beside the copy's own: who answers by mail quotes a text with its last line.
 */
export const hasOthers = (own: string | null, keys: readonly (string | null)[]): boolean =>
  keys.some((key, index) => key === null || key === own || keys.indexOf(key) < index);

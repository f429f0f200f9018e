/** A code that a programmer wrote, and never a text: Restate keeps and logs it. */
const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? code : "unexpected";
};

/** What Restate is told of a step that failed. */
export const withoutDetails = (what: string, error: unknown): Error => {
  const told = new Error(`${what} failed: ${codeOf(error)}`);
  // It is sent to Restate as well.
  told.stack = told.message;
  return told;
};

/** The error's code if it has the form of one, never a message: Restate stores and logs it. */
const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? code : "unexpected";
};

/** The error of a failed step as Restate sees it: without message and stack. */
export const withoutDetails = (what: string, error: unknown): Error => {
  const bare = new Error(`${what} failed: ${codeOf(error)}`);
  // The SDK sends the stack to Restate too.
  bare.stack = bare.message;
  return bare;
};

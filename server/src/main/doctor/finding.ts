export interface Finding {
  readonly part: string;
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  /** What to do about it; null when all is well. */
  readonly fix: string | null;
}

export const ok = (part: string, message: string): Finding => ({ part, state: "ok", message, fix: null });

export const warning = (part: string, message: string, fix: string): Finding => ({
  part,
  state: "warning",
  message,
  fix,
});

export const problem = (part: string, message: string, fix: string): Finding => ({
  part,
  state: "problem",
  message,
  fix,
});

export interface DoctorFinding {
  readonly part: string;
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  /** How to fix it; null when the state is ok. */
  readonly fix: string | null;
}

export const doctorOk = (part: string, message: string): DoctorFinding => ({
  part,
  state: "ok",
  message,
  fix: null,
});

export const warning = (part: string, message: string, fix: string): DoctorFinding => ({
  part,
  state: "warning",
  message,
  fix,
});

export const problem = (part: string, message: string, fix: string): DoctorFinding => ({
  part,
  state: "problem",
  message,
  fix,
});

/** A proof at a size that shows correctness: bounded work and a handful of faults. It must end, and may take its time. */
export interface ProofStep {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly limitSeconds: number;
}

const small = ["--scale", "0.03"];

// Bounds on time, rate and memory are judged by `npm run prove`, in full, and never here.
export const proofSteps: readonly ProofStep[] = [
  { name: "chaos", script: "prove:chaos", args: [...small, "--faults", "10"], limitSeconds: 1_500 },
  { name: "webhooks", script: "prove:webhooks", args: small, limitSeconds: 1_200 },
  { name: "deploy", script: "prove:deploy", args: small, limitSeconds: 900 },
  { name: "database loss", script: "prove:database-loss", args: small, limitSeconds: 600 },
  { name: "shutdown", script: "prove:shutdown", args: small, limitSeconds: 600 },
  { name: "revocation", script: "prove:revocation", args: small, limitSeconds: 600 },
  { name: "limits", script: "prove:limits", args: small, limitSeconds: 600 },
  { name: "isolation", script: "prove:isolation", args: small, limitSeconds: 600 },
  { name: "fuzz", script: "prove:fuzz", args: small, limitSeconds: 600 },
];

export interface TestStep {
  readonly name: string;
  readonly projects: readonly string[];
  /** Both kinds run beside each other; more at once only make each of them slower. */
  readonly workers: number;
  readonly limitSeconds: number;
}

/** Our own code, with PostgreSQL and Restate. */
export const ownTests: TestStep = {
  name: "tests",
  projects: ["fast", "exhaustive", "integration"],
  workers: 2,
  limitSeconds: 2_700,
};

/** With real tools and browsers, each of which keeps a core busy. */
export const realTests: TestStep = {
  name: "tests with real tools and browsers",
  projects: ["tools", "journeys", "wizard", "story"],
  workers: 3,
  limitSeconds: 4_200,
};

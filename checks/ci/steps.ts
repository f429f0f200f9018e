/** A proof at a size that shows correctness: bounded work and a handful of faults. It must end, and may take its time. */
export interface ProofStep {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly limitSeconds: number;
}

const small = ["--scale", "0.05"];

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

/** Every lane of tests but the one that judges speed. */
export const testProjects = ["fast", "integration", "tools", "journeys", "wizard", "story"] as const;

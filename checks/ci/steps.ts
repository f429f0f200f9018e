/** A proof at a size that shows correctness: bounded work and a few faults. It has a limit that only catches hangs. */
export interface ProofStep {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly limitSeconds: number;
}

const small = ["--scale", "0.03"];

// CI never judges time, rate or memory; `npm run prove` does, at full size.
export const proofSteps: readonly ProofStep[] = [
  { name: "chaos", script: "prove:chaos", args: [...small, "--faults", "10"], limitSeconds: 1_500 },
  {
    name: "chaos with Zendesk's stand-in",
    script: "prove:chaos-zendesk",
    args: ["--scale", "0.1", "--faults", "6"],
    limitSeconds: 1_500,
  },
  { name: "webhooks", script: "prove:webhooks", args: small, limitSeconds: 1_200 },
  { name: "deploy", script: "prove:deploy", args: small, limitSeconds: 900 },
  { name: "database loss", script: "prove:database-loss", args: small, limitSeconds: 600 },
  { name: "shutdown", script: "prove:shutdown", args: small, limitSeconds: 600 },
  { name: "revocation", script: "prove:revocation", args: small, limitSeconds: 600 },
  { name: "limits", script: "prove:limits", args: small, limitSeconds: 600 },
  { name: "isolation", script: "prove:isolation", args: small, limitSeconds: 600 },
  {
    name: "calls of a delta",
    script: "prove:delta-calls",
    args: ["--scale", "0.01"],
    limitSeconds: 600,
  },
  {
    name: "Zendesk to Freshdesk",
    script: "prove:move-zendesk-freshdesk",
    args: ["--scale", "0.01"],
    limitSeconds: 900,
  },
  {
    name: "Freshdesk to Zendesk",
    script: "prove:move-freshdesk-zendesk",
    args: ["--scale", "0.01"],
    limitSeconds: 900,
  },
  { name: "refused stream", script: "prove:stream-refused", args: ["--scale", "0.1"], limitSeconds: 600 },
  { name: "console", script: "prove:console", args: ["--scale", "0.003"], limitSeconds: 600 },
  { name: "fuzz", script: "prove:fuzz", args: small, limitSeconds: 600 },
  { name: "wizard fuzz", script: "prove:wizard-fuzz", args: small, limitSeconds: 600 },
];

export interface TestStep {
  readonly name: string;
  readonly projects: readonly string[];
  /** Both kinds and the small proofs run side by side: together these keep both cores busy to the end. */
  readonly workers: number;
  readonly limitSeconds: number;
}

/** Our own code, with PostgreSQL and Restate. */
export const ownTests: TestStep = {
  name: "tests",
  projects: ["fast", "exhaustive", "integration"],
  workers: 3,
  limitSeconds: 5_000,
};

/** With real tools and browsers, each of which occupies a core. */
export const realTests: TestStep = {
  name: "tests with real tools and browsers",
  projects: ["tools", "journeys", "wizard", "console", "demo"],
  workers: 3,
  limitSeconds: 5_000,
};

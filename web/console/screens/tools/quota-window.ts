type Unit = "second" | "minute" | "hour" | "day";

const units: readonly (readonly [Unit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** The window of a quota in the largest unit that says it exactly. */
export const quotaWindow = (seconds: number): { readonly unit: Unit; readonly count: number } => {
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ["second", 1];
  return { unit, count: seconds / length };
};

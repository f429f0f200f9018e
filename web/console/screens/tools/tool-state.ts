import type { OperatorTool } from "@portage/contract/operator";

type Trouble = "disabled" | "failing" | "refusing";

/** What is wrong with a tool, the worst first; null: nothing. */
export const toolTrouble = ({ enabled, accounts }: OperatorTool): Trouble | null => {
  if (accounts.some(({ circuit_open }) => circuit_open)) return "failing";
  if (accounts.some(({ refused_since }) => refused_since !== null)) return "refusing";
  return enabled ? null : "disabled";
};

/** The share of the fullest quota that is used up; null: none is known. */
export const quotaUse = ({ accounts }: OperatorTool): number | null => {
  const shares = accounts.flatMap(({ quotas }) =>
    quotas.filter(({ requests }) => requests > 0).map(({ used, requests }) => Math.min(1, used / requests)),
  );
  return shares.length === 0 ? null : Math.max(...shares);
};

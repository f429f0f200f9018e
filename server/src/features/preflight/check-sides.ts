import { isConnectorError } from "@portage/connector-kit";
import type { OpenSide } from "../connections/index.ts";
import type { Side } from "../imports/index.ts";
import type { Finding } from "./finding.ts";
import { inTime } from "./in-time.ts";
import { type ReachableSide, toolTrouble, unreachable } from "./tool-trouble.ts";

export type CheckedSides =
  | { readonly kind: "open"; readonly source: ReachableSide; readonly destination: ReachableSide }
  | { readonly kind: "blocked"; readonly findings: readonly Finding[] };

type CheckedSide =
  | { readonly kind: "open"; readonly opened: ReachableSide }
  | { readonly kind: "blocked"; readonly finding: Finding };

const notConnected = (side: Side): Finding => ({
  code: "not_connected",
  level: "blocks",
  side,
  stream: null,
  count: 1,
  message: side === "source" ? "The old tool is not connected." : "The new tool is not connected.",
  fix: "Connect it.",
});

const checkSide = async (
  openSide: OpenSide,
  importId: string,
  side: Side,
  signal: AbortSignal,
): Promise<CheckedSide> => {
  const opened = await openSide({ importId, side, runId: null });
  if (opened.kind === "missing") return { kind: "blocked", finding: notConnected(side) };
  const { connector } = opened;
  try {
    const checked = await inTime(signal, () => connector.check(opened.io(signal)));
    return checked.kind === "done"
      ? { kind: "open", opened }
      : {
          kind: "blocked",
          finding: unreachable(side, { message: `${connector.manifest.label} did not answer in time.` }),
        };
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    return { kind: "blocked", finding: toolTrouble(side, opened, error) };
  }
};

/** Opens both sides and calls them, to check the sign-in, the permissions and the address. */
export const checkSides = async (
  openSide: OpenSide,
  importId: string,
  signal: AbortSignal,
): Promise<CheckedSides> => {
  const [source, destination] = await Promise.all(
    (["source", "destination"] as const).map((side) => checkSide(openSide, importId, side, signal)),
  );
  if (source?.kind === "open" && destination?.kind === "open")
    return { kind: "open", source: source.opened, destination: destination.opened };
  const findings = [source, destination].flatMap((each) => (each?.kind === "blocked" ? [each.finding] : []));
  return { kind: "blocked", findings };
};

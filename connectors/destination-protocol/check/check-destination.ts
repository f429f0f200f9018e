import { type CheckResult, runConformance } from "@portage/connector-kit/conformance";
import { destinationProtocol } from "../index.ts";
import { rememberWrites } from "./clean-up.ts";
import { describedStreams, probeDestination } from "./probe-destination.ts";
import { type Destined, failed, reach } from "./reach.ts";

export interface DestinationCheck extends Destined {
  /** Receives each result as soon as it is known. */
  readonly tell?: (result: CheckResult) => void;
  /** The number of mails that the destination has sent so far, if the caller can count them. */
  readonly mails?: () => Promise<number>;
}

/**
 * Checks whether a destination implements the protocol: its signatures, its answers, and the conformance suite for
 * each family. It writes some hundred records under its own keys and removes them at the end.
 */
export const checkDestination = async (needs: DestinationCheck): Promise<readonly CheckResult[]> => {
  const { transport, mails, tell = () => {} } = needs;
  const results: CheckResult[] = [];
  const note = (result: CheckResult) => {
    results.push(result);
    tell(result);
  };
  const { result, reached } = await reach(needs);
  note(result);
  if (!reached) return results;
  const { io, description } = reached;
  await probeDestination(reached, transport, note);
  const writes = rememberWrites((await destinationProtocol.offers?.(io)) ?? {});
  const connector = { ...destinationProtocol, destination: writes.destination };
  for (const family of new Set(describedStreams(description).map((stream) => stream.family)))
    await runConformance(
      { connector, settings: io.settings, family, transport, ...(mails && { mails }) },
      (each) => note({ ...each, name: `${family}/${each.name}` }),
    );
  const about = { name: "clean-up", shows: "the check can remove all records that it wrote" };
  const kept = await writes.remove(io).catch((error: unknown) => error);
  note(
    kept === 0
      ? { ...about, verdict: "passed", why: null }
      : failed(about.name, about.shows, typeof kept === "number" ? `${kept} records remain.` : kept),
  );
  return results;
};

import { type FamilyStream, findStream } from "@portage/connector-kit";
import type { CheckResult } from "@portage/connector-kit/conformance";
import type { Transport } from "@portage/connector-kit/http";
import type { Described } from "@portage/contract/destination-protocol";
import { behaviourProbes } from "./behaviour-probes.ts";
import { createSend, type Probe, type Probing, standsAlone } from "./probe.ts";
import { failed, type Reached } from "./reach.ts";
import { signatureProbes } from "./signature-probes.ts";

export const describedStreams = ({ families }: Described): readonly FamilyStream[] =>
  families.flatMap(({ family, streams }) => streams.flatMap(({ name }) => findStream(family, name) ?? []));

const judge = async ({ name, shows, run }: Probe, probing: Probing): Promise<CheckResult> => {
  try {
    const why = await run(probing);
    return { name, shows, verdict: why === null ? "passed" : "failed", why };
  } catch (error) {
    return failed(name, shows, error);
  }
};

/** Probes the wire protocol: which calls the destination accepts, and how it refuses the others. */
export const probeDestination = async (
  { io: { settings }, description }: Reached,
  transport: Transport,
  tell: (result: CheckResult) => void,
): Promise<void> => {
  const plain = describedStreams(description).find(standsAlone);
  if (!plain) {
    const shows = "the destination describes a stream whose records need no other records";
    return tell(failed("described-streams", shows, "It describes none."));
  }
  const probing = { settings, description, plain, send: createSend(transport, settings) };
  for (const probe of [...signatureProbes, ...behaviourProbes]) tell(await judge(probe, probing));
};

import { type FamilyStream, findStream, isConnectorError } from "@portage/connector-kit";
import { type CheckResult, runConformance } from "@portage/connector-kit/conformance";
import {
  createAuthorizer,
  createHttp,
  createLocalLimiter,
  type Transport,
} from "@portage/connector-kit/http";
import type { Family } from "@portage/contract";
import type { Described } from "@portage/contract/destination-protocol";
import { destinationProtocol } from "../index.ts";
import { describeDestination } from "../protocol-stream.ts";
import { type Settings, settings as settingsSchema } from "../settings.ts";
import { behaviourProbes } from "./behaviour-probes.ts";
import { rememberWrites } from "./clean-up.ts";
import { createSend, type Probe, type Probing } from "./probe.ts";
import { signatureProbes } from "./signature-probes.ts";

export interface DestinationCheck {
  readonly url: string;
  readonly secret: string;
  readonly transport: Transport;
  /** Called with each result as it is known. */
  readonly tell?: (result: CheckResult) => void;
  /** How many mails the destination has sent so far, where somebody can tell. */
  readonly mails?: () => Promise<number>;
  readonly signal?: AbortSignal;
}

const failed = (name: string, shows: string, error: unknown): CheckResult => ({
  name,
  shows,
  verdict: "failed",
  why: error instanceof Error ? error.message : String(error),
  error,
});

const judge = async ({ name, shows, run }: Probe, probing: Probing): Promise<CheckResult> => {
  try {
    const why = await run(probing);
    return { name, shows, verdict: why === null ? "passed" : "failed", why };
  } catch (error) {
    return failed(name, shows, error);
  }
};

const streamsOf = ({ families }: Described): readonly FamilyStream[] =>
  families.flatMap(({ family, streams }) => streams.flatMap(({ name }) => findStream(family, name) ?? []));

const stands = ({ kind, relations }: FamilyStream) =>
  kind === "record" && Object.values(relations).every(({ missing }) => missing === "clear");

const reached = { name: "describe", shows: "the address answers to a signed call" };
const cleaned = { name: "clean-up", shows: "what the check has written is removed again" };

/**
 * Shows whether a destination does what the protocol asks for: its signatures, its answers, and the conformance suite
 * for each family. It writes some hundred records under keys of its own, and removes them at the end.
 */
export const checkDestination = async (needs: DestinationCheck): Promise<readonly CheckResult[]> => {
  const { url, secret, transport, tell = () => {}, signal = new AbortController().signal } = needs;
  const results: CheckResult[] = [];
  const note = (result: CheckResult) => {
    results.push(result);
    tell(result);
  };
  const { manifest } = destinationProtocol;
  const parsed = settingsSchema.safeParse({ instanceUrl: url, token: secret });
  if (!parsed.success) {
    note(failed(reached.name, reached.shows, new Error("The address or the secret has no good form.")));
    return results;
  }
  const settings: Settings = parsed.data;
  const io = {
    settings,
    signal,
    http: createHttp({
      manifest,
      settings,
      transport,
      signal,
      authorizer: createAuthorizer(manifest, settings, null),
      limiter: createLocalLimiter(manifest.limits, manifest.concurrency),
    }),
  };
  let description: Described;
  try {
    await destinationProtocol.check(io);
    description = await describeDestination(io);
    note({ ...reached, verdict: "passed", why: null });
  } catch (error) {
    note(
      failed(reached.name, reached.shows, isConnectorError(error) ? error : new Error("It can't be called.")),
    );
    return results;
  }
  const all = streamsOf(description);
  const plain = all.find(stands);
  const probes = plain ? [...signatureProbes, ...behaviourProbes] : [];
  for (const probe of probes)
    note(
      await judge(probe, {
        settings,
        description,
        plain: plain as FamilyStream,
        send: createSend(transport, settings),
      }),
    );
  if (!plain)
    note(
      failed("described-streams", "a stream is described that needs no other", new Error("There is none.")),
    );
  const writes = rememberWrites((await destinationProtocol.offers?.(io)) ?? {});
  const families = [...new Set(all.map(({ family }) => family))] as readonly Family[];
  for (const family of families)
    await runConformance(
      {
        connector: { ...destinationProtocol, destination: writes.destination },
        settings,
        family,
        transport,
        ...(needs.mails && { mails: needs.mails }),
      },
      (result) => note({ ...result, name: `${family}/${result.name}` }),
    );
  const kept = await writes.remove(io).catch((error: unknown) => error);
  note(
    kept === 0
      ? { ...cleaned, verdict: "passed", why: null }
      : failed(cleaned.name, cleaned.shows, typeof kept === "number" ? `${kept} records stayed.` : kept),
  );
  return results;
};

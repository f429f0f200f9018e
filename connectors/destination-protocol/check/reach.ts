import { type Io, isConnectorError } from "@portage/connector-kit";
import type { CheckResult } from "@portage/connector-kit/conformance";
import {
  createAuthorizer,
  createHttp,
  createLocalLimiter,
  type Transport,
} from "@portage/connector-kit/http";
import type { Described } from "@portage/contract/destination-protocol";
import { destinationProtocol } from "../index.ts";
import { describeDestination } from "../protocol-stream.ts";
import { type Settings, settings as settingsSchema } from "../settings.ts";

export interface Destined {
  readonly url: string;
  readonly secret: string;
  readonly transport: Transport;
  readonly signal?: AbortSignal;
}

export interface Reached {
  readonly io: Io<Settings>;
  readonly description: Described;
}

const ioFor = (settings: Settings, transport: Transport, signal: AbortSignal): Io<Settings> => {
  const { manifest } = destinationProtocol;
  const authorizer = createAuthorizer(manifest, settings, null);
  const limiter = createLocalLimiter(manifest.limits, manifest.concurrency);
  return {
    settings,
    signal,
    scope: {},
    http: createHttp({ manifest, settings, transport, signal, authorizer, limiter }),
  };
};

export const failed = (name: string, shows: string, error: unknown): CheckResult => ({
  name,
  shows,
  verdict: "failed",
  why: error instanceof Error ? error.message : String(error),
  error,
});

/** The error for the destination's developer, who knows the protocol and needs the cause. */
const forItsWriter = (error: unknown): unknown => {
  if (!isConnectorError(error)) return error;
  const behind = error.cause instanceof Error ? ` ${error.cause.message}` : "";
  if (error.code === "refused")
    return new Error("The destination does not accept this secret.", { cause: error });
  return error.code === "wrong_address"
    ? new Error(`This address does not speak the destination protocol.${behind}`, { cause: error })
    : error;
};

/** The first check: if it fails, the others prove nothing. */
export const reach = async ({
  url,
  secret,
  transport,
  signal = new AbortController().signal,
}: Destined): Promise<{ readonly result: CheckResult; readonly reached: Reached | null }> => {
  const about = { name: "describe", shows: "the address answers a signed call" };
  try {
    const parsed = settingsSchema.safeParse({ instanceUrl: url, token: secret });
    if (!parsed.success)
      throw new Error("The address is not a URL, or the secret has fewer than 16 characters.");
    const io = ioFor(parsed.data, transport, signal);
    await destinationProtocol.check(io);
    const description = await describeDestination(io);
    return { result: { ...about, verdict: "passed", why: null }, reached: { io, description } };
  } catch (error) {
    return { result: failed(about.name, about.shows, forItsWriter(error)), reached: null };
  }
};

import { createAuthorizer, type AccessTokens } from "./http/authorize.ts";
import { createHttp, type RetryPolicy } from "./http/http-client.ts";
import { createLocalLimiter, type Limiter } from "./http/limiter.ts";
import type { Transport } from "./http/transport.ts";
import type { Io, KeptAnswers } from "./io.ts";
import type { Manifest } from "./manifest.ts";

export interface TestIo<S> {
  readonly manifest: Manifest<S>;
  readonly settings: S;
  readonly transport: Transport;
  readonly tokens?: AccessTokens;
  readonly limiter?: Limiter;
  readonly retry?: Partial<RetryPolicy>;
  readonly signal?: AbortSignal;
  readonly answerMs?: number;
  readonly kept?: KeptAnswers;
}

/** Everything that the server passes to a connector, in one process: for tests and for the conformance suite. */
export const createTestIo = <S>({
  manifest,
  settings,
  transport,
  tokens,
  limiter = createLocalLimiter(manifest.limits, manifest.concurrency),
  retry,
  signal = new AbortController().signal,
  answerMs = 60_000,
  kept,
}: TestIo<S>): Io<S> => ({
  settings,
  signal,
  scope: {},
  ...(kept ? { kept } : {}),
  http: createHttp({
    manifest,
    settings,
    transport,
    limiter,
    signal,
    authorizer: createAuthorizer(manifest, settings, tokens ?? null),
    totalMs: { answer: answerMs, file: 3_600_000 },
    ...(retry ? { retry } : {}),
  }),
});

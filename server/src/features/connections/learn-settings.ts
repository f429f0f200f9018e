import type { Manifest, OAuth2 } from "@portage/connector-kit";
import {
  createAuthorizer,
  createHttp,
  createLocalLimiter,
  reachOf,
  type Transport,
} from "@portage/connector-kit/http";
import type { TokenEndpointResponse } from "openid-client";

export type Learned = Readonly<Record<string, unknown>>;

/** The settings that the tool reported at the sign-in, not yet validated. */
export const learnSettings = async (
  { manifest, settings }: { manifest: Manifest & { readonly auth: OAuth2 }; settings: unknown },
  { access_token, refresh_token: _, id_token: __, ...answer }: TokenEndpointResponse,
  transport: Transport,
  signal: AbortSignal,
): Promise<Learned> => {
  const { learns } = manifest.auth;
  if (!learns) return {};
  const tokens = { current: async () => access_token, refresh: async () => null };
  const http = createHttp({
    manifest,
    settings,
    transport,
    signal,
    authorizer: createAuthorizer(manifest, settings, tokens),
    limiter: createLocalLimiter(manifest.limits, manifest.concurrency),
    retry: { attempts: 1 },
  });
  const all = (await learns.from({ http, settings, signal, scope: {} }, answer)) as Learned;
  const named = learns.settings.filter((name) => all[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, all[name]]));
};

/**
 * Whether the tool is where the manifest expects it. Otherwise an answer could make this service call, with the customer's
 * credentials, whichever host it names.
 */
export const isWithinOrigins = (manifest: Manifest, before: unknown, after: unknown): boolean => {
  const origins = manifest.auth.kind === "oauth2" ? (manifest.auth.learns?.origins ?? []) : [];
  const known = manifest.hosts(before);
  const { api, files = [] } = manifest.hosts(after);
  const isNamed = (host: string, declared: readonly string[]) => {
    const url = URL.parse(host);
    return url !== null && declared.some((each) => reachOf({ api: [each] }, url) === "api");
  };
  return (
    api.every((host) => known.api.includes(host) || isNamed(host, origins)) &&
    files.every((host) => known.files?.includes(host) || isNamed(host, origins))
  );
};

import { createGuardedFetch } from "../features/connections/index.ts";
import {
  createOidcClient,
  type OidcClient,
  type OidcSettings,
  roles,
  type Role,
} from "../features/staff/index.ts";
import { oidcCallback } from "../http/operator/index.ts";
import { isLoopback } from "../platform/is-loopback.ts";
import { createOutbound } from "../platform/outbound/index.ts";
import { Secret } from "../platform/secret.ts";
import { type Config, ConfigError } from "./config.ts";
import { operatorUrlOf } from "./operator-url.ts";

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

const readRoles = (entries: readonly string[]): ReadonlyMap<string, Role> =>
  new Map(
    entries.map((entry) => {
      const split = entry.lastIndexOf("=");
      const role = entry.slice(split + 1).trim();
      const value = entry.slice(0, split).trim();
      if (split < 1 || value === "" || !isRole(role))
        throw new ConfigError(
          `OPERATOR_OIDC_ROLES must be like portage-admins=admin,portage-ops=operator; roles are ${roles.join(", ")}.`,
        );
      return [value, role] as const;
    }),
  );

type OidcConfig = Pick<
  Config,
  | "OPERATOR_OIDC_ISSUER"
  | "OPERATOR_OIDC_CLIENT_ID"
  | "OPERATOR_OIDC_CLIENT_SECRET"
  | "OPERATOR_OIDC_LABEL"
  | "OPERATOR_OIDC_ROLES_CLAIM"
  | "OPERATOR_OIDC_ROLES"
>;

/** Reads the settings of the identity provider; null: there is none. */
export const readOidc = (config: OidcConfig): OidcSettings | null => {
  const { OPERATOR_OIDC_ISSUER: issuer, OPERATOR_OIDC_CLIENT_ID: clientId } = config;
  const { OPERATOR_OIDC_CLIENT_SECRET: clientSecret, OPERATOR_OIDC_ROLES: entries } = config;
  if (issuer === undefined) return null;
  if (clientId === undefined || clientSecret === undefined || entries.length === 0)
    throw new ConfigError(
      "OPERATOR_OIDC_ISSUER needs OPERATOR_OIDC_CLIENT_ID, OPERATOR_OIDC_CLIENT_SECRET and OPERATOR_OIDC_ROLES.",
    );
  const url = new URL(issuer);
  if (url.protocol !== "https:" && !isLoopback(url.hostname))
    throw new ConfigError("OPERATOR_OIDC_ISSUER must be https, unless on loopback.");
  return {
    issuer: url,
    clientId,
    clientSecret: new Secret(clientSecret),
    label: config.OPERATOR_OIDC_LABEL,
    rolesClaim: config.OPERATOR_OIDC_ROLES_CLAIM,
    roles: readRoles(entries),
  };
};

/**
 * The client of the identity provider. Its outbound client is its own: the provider's host may be private, and must not
 * become one that customers can name.
 */
export const createOperatorOidc = (
  config: OidcConfig & Pick<Config, "OPERATOR_URL" | "OPERATOR_PORT">,
): { readonly client: OidcClient; close(): Promise<void> } | null => {
  const settings = readOidc(config);
  if (!settings) return null;
  const { hostname, port, protocol } = settings.issuer;
  const outbound = createOutbound({
    allow: [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`],
  });
  return {
    client: createOidcClient(settings, {
      fetch: createGuardedFetch(outbound, { totalMs: 10_000, maxBytes: 1024 * 1024 }),
      redirectUri: `${operatorUrlOf(config)}${oidcCallback}`,
    }),
    close: () => outbound.close(),
  };
};

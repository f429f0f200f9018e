/**
 * Partners with their settings, branding and API tokens. Entry points: `createAuthenticator` (per API request),
 * `issueToken`, `revokeToken`, `setSuspended`, `validatePartnerSettings`, `insertPartner`, `updatePartner`, `readLogo`,
 * `deriveTheme`.
 * Invariants: the database keeps only the hash of an API token, and each process caches a valid one for 3 seconds,
 * so that a revocation or a suspension takes effect everywhere within 5 seconds (platform/api-tokens.ts). Callers validate settings
 * with `validatePartnerSettings` before they save them. A logo's type comes from its bytes (logo.ts). Every theme
 * reaches a contrast of 4.5 (theme.ts).
 */
export { type Logo, readLogo } from "./logo.ts";
export {
  type ApiToken,
  brandingSchema,
  type CallingPartner,
  maxOldLinksDays,
  newPartner,
  type Partner,
  type PartnerSettings,
} from "./partner.ts";
export {
  findPartner,
  insertPartner,
  listPartners,
  listTokens,
  holdPartner,
  revokeToken,
  setSuspended,
  updatePartner,
} from "./store.ts";
export { findLogo, findLogoDigest, hasLogo, saveLogo } from "./store-logos.ts";
export { contrast } from "./oklch.ts";
export { deriveTheme } from "./theme.ts";
export { type Authenticator, createAuthenticator, issueToken } from "./tokens.ts";
export { validatePartnerSettings } from "./validate-settings.ts";

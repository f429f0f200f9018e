export { type Logo, readLogo } from "./logo.ts";
export {
  type ApiToken,
  type Partner,
  type PartnerSettings,
} from "./partner.ts";
export {
  findPartner,
  insertPartner,
  listPartners,
  listTokens,
  revokeToken,
  setSuspended,
  updatePartner,
} from "./store.ts";
export { findLogo, hasLogo, saveLogo } from "./store-logos.ts";
export { deriveTheme } from "./theme.ts";
export { type Authenticator, createAuthenticator, issueToken } from "./tokens.ts";
export { type SettingsProblem, validatePartnerSettings } from "./validate-settings.ts";

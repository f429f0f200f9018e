export {
  type ApiToken,
  type Branding,
  brandingSchema,
  type Partner,
  type PartnerSettings,
  partnerSettingsSchema,
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
export { type Authenticator, createAuthenticator, issueToken, tokenTrustMs } from "./tokens.ts";
export { type SettingsProblem, validatePartnerSettings } from "./validate-settings.ts";

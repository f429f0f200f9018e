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
export { type Authenticator, createAuthenticator, issueToken } from "./tokens.ts";
export { type SettingsProblem, validatePartnerSettings } from "./validate-settings.ts";

export { createAccessTokens } from "./access-tokens.ts";
export { createAuthorizationServer } from "./authorization-server.ts";
export { type CheckDestination, createCheckDestination } from "./check-destination.ts";
export type { ConnectionSummary, SignedIn, Tokens } from "./connection.ts";
export { type DestinationStreams, destinationStreams } from "./destination-streams.ts";
export { createKept } from "./kept-for-a-while.ts";
export { createOpenSide, type Opened, type OpenSide } from "./open-side.ts";
export { type Given, givenSettings, nothingGiven } from "./read-settings.ts";
export { explainRefusal, predicates, type Refusal } from "./refusal.ts";
export { prepareRevocation, type Revoked } from "./revoke-sign-in.ts";
export { readsOnly, secretSettings, settingsForm } from "./settings-form.ts";
export { callbackUrl, redeemSignIn, type SignInBegun, type SignInNeeds, startSignIn } from "./sign-in.ts";
export {
  eraseCredentials,
  findAccount,
  type ListedConnection,
  listConnections,
  markExpired,
  purgeConnections,
  saveConnection,
} from "./store.ts";
export { deleteOldSignIns, findSignIn } from "./store-sign-ins.ts";
export { createToolChecks, type ToolCheck } from "./tool-check.ts";
export { createTrySettings, type Tried, type TrySettings } from "./try-settings.ts";

/**
 * Connects the two sides of an import to their tools: settings, sign-ins and OAuth tokens. Entry points:
 * `createTrySettings` (check typed settings), `createSignInRequest` and `redeemSignIn` (OAuth), `createOpenSide` (a
 * tool's client for runs), `saveConnection`, `eraseCredentials`, `purgeConnections`, `prepareRevocation`.
 * Invariants: settings and tokens are sealed for their import, side and purpose (`sealedAs`). Requests to a source only
 * read (reads-only.ts). One process at a time refreshes tokens, and a refresh never overwrites a newer sign-in
 * (store-tokens.ts). A token that the partner supplied never goes to a host that the customer typed (read-settings.ts),
 * and an OAuth client's secret only to origins that the operator registered (authorization-server.ts).
 */
export { createAccessTokens } from "./access-tokens.ts";
export { createAuthorizationServer } from "./authorization-server.ts";
export { type CheckDestination, createCheckDestination } from "./check-destination.ts";
export { type ChosenManifest, chooseSignIn, offeredSignIns } from "./choose-sign-in.ts";
export type { ConnectionSummary, SignedIn } from "./connection.ts";
export { type DestinationStreams, destinationStreams } from "./destination-streams.ts";
export { createOpenSide, type Opened, type OpenSide } from "./open-side.ts";
export { createGuardedFetch } from "./guarded-fetch.ts";
export { type Given, givenSettings, nothingGiven } from "./read-settings.ts";
export { refusedSettings } from "./refused-settings.ts";
export { explainRefusal, predicates, type Refusal } from "./refusal.ts";
export { prepareRevocation, type Revoked } from "./revoke-sign-in.ts";
export { hasReadOnlySignIn, secretSettings, settingsForm } from "./settings-form.ts";
export {
  callbackUrl,
  redeemSignIn,
  type SignInBegun,
  type SignInNeeds,
  createSignInRequest,
} from "./sign-in.ts";
export {
  eraseCredentials,
  findAccount,
  findKeyColumns,
  type KeyColumns,
  listAccounts,
  type ListedConnection,
  listConnections,
  markExpired,
  purgeConnections,
  saveConnection,
} from "./store.ts";
export { deleteOldSignIns, findSignIn } from "./store-sign-ins.ts";
export { createToolChecks, type ToolCheck } from "./tool-check.ts";
export { createTrySettings, type ToTry, type Tried, type TrySettings } from "./try-settings.ts";

import type { Outcome } from "../../../client/problem.ts";
import type { OperatorClient } from "../../api/operator-client.ts";

export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential !== "undefined" &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";

/** Signs in with a passkey; null: the person or the device declined. */
export const signInByPasskey = async (client: OperatorClient): Promise<Outcome<void> | null> => {
  const offered = await client.withoutSession<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    "/sign-in/passkey/options",
    {},
  );
  if (offered.kind !== "ok") return offered;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(offered.value.options);
  const made = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(made instanceof PublicKeyCredential)) return null;
  return client.withoutSession("/sign-in/passkey", { response: made.toJSON() as unknown });
};

/** Makes a passkey for an invitation. */
export const makePasskey = async (options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey }).catch(() => null);
  return made instanceof PublicKeyCredential ? made.toJSON() : null;
};

import type { Manifest, SignInChoice } from "@portage/connector-kit";

/** A manifest with one way to sign in. */
export interface ChosenManifest extends Manifest {
  readonly auth: Exclude<Manifest["auth"], SignInChoice>;
  /** The settings that only the other way uses. */
  readonly unused?: readonly string[];
  /** Optional for the schema, since the other way does without. */
  readonly needed?: readonly string[];
}

const keySettings = ({ secret }: SignInChoice): readonly string[] => [
  ...secret.secrets,
  ...(secret.alongside ?? []),
];

/** Of a tool with a choice the manifest for one way to sign in; any other tool has one way anyway. */
export const chooseSignIn = (manifest: Manifest, kind: "secret" | "oauth2"): ChosenManifest => {
  const { auth } = manifest;
  if (auth.kind !== "choice") return { ...manifest, auth };
  return kind === "oauth2"
    ? { ...manifest, auth: auth.oauth2, unused: keySettings(auth) }
    : { ...manifest, auth: auth.secret, needed: keySettings(auth) };
};

/** The manifest for the way that a connection with these settings signed in: only a key leaves its settings there. */
export const chosenBefore = (
  manifest: Manifest,
  settings: Readonly<Record<string, unknown>>,
): ChosenManifest => {
  const { auth } = manifest;
  const hasKey = auth.kind === "choice" && auth.secret.secrets.some((name) => Object.hasOwn(settings, name));
  return chooseSignIn(manifest, hasKey ? "secret" : "oauth2");
};

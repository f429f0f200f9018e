import type { Manifest, SignInChoice } from "@portage/connector-kit";

/** A manifest with one way to sign in. */
export interface ChosenManifest extends Manifest {
  readonly auth: Exclude<Manifest["auth"], SignInChoice>;
  /** The settings that only the other way uses, or that the tool reports. */
  readonly unused?: readonly string[];
  /** Optional for the schema, since the other way does without. */
  readonly needed?: readonly string[];
}

const keySettings = ({ secret }: SignInChoice): readonly string[] => [
  ...secret.secrets,
  ...(secret.alongside ?? []),
];

const learnedSettings = (auth: Manifest["auth"]): readonly string[] => {
  const page = auth.kind === "choice" ? auth.oauth2 : auth;
  return page.kind === "oauth2" ? (page.learns?.settings ?? []) : [];
};

/** Of a tool with a choice the manifest for one way to sign in; any other tool has one way anyway. */
export const chooseSignIn = (manifest: Manifest, kind: "secret" | "oauth2"): ChosenManifest => {
  const { auth } = manifest;
  const unused = learnedSettings(auth);
  if (auth.kind !== "choice") return { ...manifest, auth, unused };
  return kind === "oauth2"
    ? { ...manifest, auth: auth.oauth2, unused: [...unused, ...keySettings(auth)] }
    : { ...manifest, auth: auth.secret, unused, needed: keySettings(auth) };
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

/**
 * The ways to sign in that a customer can choose from: first the one used before, or else the easiest. `settings` are those of the
 * connection so far.
 */
export const offeredSignIns = (
  manifest: Manifest,
  isRegistered: boolean,
  settings: Readonly<Record<string, unknown>> | null,
): readonly [ChosenManifest, ChosenManifest?] => {
  const [key, page] = [chooseSignIn(manifest, "secret"), chooseSignIn(manifest, "oauth2")];
  if (manifest.auth.kind !== "choice" || !isRegistered) return [key];
  const before = settings ? chosenBefore(manifest, settings) : page;
  return before.auth.kind === "secret" ? [key, page] : [page, key];
};

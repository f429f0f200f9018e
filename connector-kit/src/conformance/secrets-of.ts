import type { Manifest } from "../manifest.ts";

/** The names of the settings that hold secrets. */
export const secretsOf = ({ auth }: Pick<Manifest, "auth">): readonly string[] => {
  if (auth.kind === "choice") return auth.secret.secrets;
  return auth.kind === "secret" ? auth.secrets : [];
};

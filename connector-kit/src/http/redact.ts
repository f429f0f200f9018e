const hidden = "[secret]";

const secretHeaders =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-.*(key|token|secret|auth).*)$/i;

const secretFields =
  /("(?:[a-z_]*(?:token|secret|password|passwd|api_?key)[a-z_]*)"\s*:\s*")((?:[^"\\]|\\.)*)(")/gi;

const secretParameters =
  /((?:^|[?&\s])[a-z_]*(?:token|secret|password|api_?key|access_key|signature|sig)[a-z_]*=)([^&\s#"]*)/gi;

/** Every encoding in which a secret can appear in a text. */
const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ v: secret }).toString().slice(2),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64"),
  Buffer.from(secret).toString("base64url"),
];

export interface Redactor {
  text(value: string): string;
  headers(value: Readonly<Record<string, string>>): Record<string, string>;
}

/** Removes known secrets everywhere, and values of fields and parameters that usually hold secrets. */
export const createRedactor = (secrets: () => readonly string[]): Redactor => {
  const text = (value: string) => {
    let clean = value;
    const known = secrets()
      .filter((secret) => secret.length >= 4)
      .flatMap(spellings)
      .toSorted((a, b) => b.length - a.length);
    for (const spelling of known) clean = clean.replaceAll(spelling, hidden);
    return clean.replace(secretFields, `$1${hidden}$3`).replace(secretParameters, `$1${hidden}`);
  };
  return {
    text,
    headers: (value) =>
      Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, secretHeaders.test(name) ? hidden : text(each)]),
      ),
  };
};

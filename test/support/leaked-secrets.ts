import { closeSync, openSync, readSync } from "node:fs";

/** Secrets that this service makes are known by their form, whichever suite they are of. */
const forms: readonly (readonly [string, RegExp])[] = [
  ["a partner's token", /ptg_live_[\w-]{20,}/],
  ["a staff token", /ptg_staff_[\w-]{20,}/],
  ["a session", /ptg_session_[\w-]{20,}/],
  ["an invitation", /ptg_invitation_[\w-]{20,}/],
  ["a webhook's secret", /whsec_[A-Za-z0-9+/]{30,}/],
  ["a customer's link", /imports\/imp_\w{20,}\/[\w-]{40,}/],
  ["an Authorization header", /\b(?:Bearer|Basic) [A-Za-z0-9+/._~-]{20,}/],
];

const noted = new Map<string, string>();
const shortest = 10;

/** A secret that has no form of its own, such as a tool's token: from now on no log may have it. */
export const noteSecret = (what: string, value: string): string => {
  if (value.length >= shortest) noted.set(value, what);
  return value;
};

const passwordIn = (value: string) => {
  const { password = "" } = URL.canParse(value) ? new URL(value) : {};
  return decodeURIComponent(password);
};

/** What a process is given and must keep to itself. Restate's identity keys are public. */
const secretsIn = (env: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(env).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (/^PORTAGE_KEYS$/.test(name))
      return value.split(",").map((each) => [name, each.slice(each.indexOf(":") + 1)]);
    if (/SECRET|PASSWORD/.test(name) && !name.endsWith("_FILE")) return [[name, value]];
    return [[name, passwordIn(value)]];
  });

/** The names of secrets that a text has, also as they are in a URL or in a header of basic authorization. */
export const findLeaks = (text: string, env: Readonly<Record<string, string>> = {}): readonly string[] => {
  const values = [
    ...secretsIn(env),
    ...[...noted].map(([value, what]): readonly [string, string] => [what, value]),
  ].filter(([, value]) => value.length >= shortest);
  const leaked = values.filter(([, value]) =>
    [value, encodeURIComponent(value), Buffer.from(value).toString("base64").replace(/=+$/, "")].some(
      (form) => text.includes(form),
    ),
  );
  return [
    ...forms.filter(([, form]) => form.test(text)).map(([what]) => what),
    ...leaked.map(([what]) => what),
  ];
};

const pieceBytes = 8 * 1024 * 1024;
/** Longer than any line that matters, so that nothing is cut by the end of a piece. */
const overlap = 16_384;

/** The same of a file of any size. */
export const findLeaksInFile = (
  file: string,
  env: Readonly<Record<string, string>> = {},
): readonly string[] => {
  const found = new Set<string>();
  const descriptor = openSync(file, "r");
  const buffer = Buffer.alloc(pieceBytes);
  let before = "";
  try {
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      const text = before + buffer.toString("latin1", 0, read);
      for (const leak of findLeaks(text, env)) found.add(leak);
      before = text.slice(-overlap);
    }
  } finally {
    closeSync(descriptor);
  }
  return [...found];
};

/** `standard`: Standard Webhooks (`webhook-signature`); `classic`: `x-authorization-content-sha256`. */
export type WebhookScheme = "standard" | "classic";

export interface SignedMessage {
  readonly body: Uint8Array;
  readonly id: string | null;
  readonly timestamp: string | null;
  /** `v1,…`; several are separated by spaces. */
  readonly standard: string | null;
  /** Hexadecimal. */
  readonly classic: string | null;
}

const prefix = "whsec_";
const utf8 = new TextEncoder();

const bytesOfBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

/** The key of Standard Webhooks: the decoded part after the prefix; an old secret without a prefix is used as it is. */
const standardKey = (secret: string): Uint8Array => {
  if (!secret.startsWith(prefix)) return utf8.encode(secret);
  try {
    return bytesOfBase64(secret.slice(prefix.length));
  } catch {
    throw new TypeError(`A secret with the prefix ${prefix} must continue in base64.`);
  }
};

const hmac = async (key: Uint8Array, content: Uint8Array): Promise<Uint8Array> => {
  if (key.length === 0) throw new TypeError("A secret is empty.");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", new Uint8Array(key), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, new Uint8Array(content)));
};

/** A constant-time comparison. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean => {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
};

const signaturesOf = (header: string): readonly Uint8Array[] =>
  header
    .split(" ")
    .filter((each) => /^v1,[A-Za-z0-9+/]{43}=$/.test(each))
    .map((each) => bytesOfBase64(each.slice(3)));

const bytesOfHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));

const matchesStandard = async (message: SignedMessage, secrets: readonly string[]): Promise<boolean> => {
  const { id, timestamp, standard, body } = message;
  if (id === null || timestamp === null || standard === null) return false;
  const head = utf8.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const given = signaturesOf(standard);
  const right = await Promise.all(secrets.map((secret) => hmac(standardKey(secret), content)));
  return right.flatMap((each) => given.map((signature) => isSame(each, signature))).includes(true);
};

const matchesClassic = async ({ classic, body }: SignedMessage, secrets: readonly string[]) => {
  if (classic === null) return false;
  const given = /^[0-9a-f]{64}$/i.test(classic) ? bytesOfHex(classic) : new Uint8Array();
  const right = await Promise.all(secrets.map((secret) => hmac(utf8.encode(secret), body)));
  return right.map((each) => isSame(each, given)).includes(true);
};

/** The schemes for which a secret matches. It tries each secret, even after a match. */
export const matchingSchemes = async (
  message: SignedMessage,
  secrets: readonly string[],
): Promise<readonly WebhookScheme[]> => {
  const [standard, classic] = await Promise.all([
    matchesStandard(message, secrets),
    matchesClassic(message, secrets),
  ]);
  return [...(standard ? ["standard" as const] : []), ...(classic ? ["classic" as const] : [])];
};

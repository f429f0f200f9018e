import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

const present = 0x01;
const verifiedFlag = 0x04;
const attested = 0x40;

export interface Ceremony {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  /** False: the owner was not asked for a finger, face or PIN. */
  readonly verified?: boolean;
}

/** An authenticator in software, as WebAuthn describes it: one key, no attestation. */
export const createPasskey = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(16);
  const id = base64url(credentialId);
  let counter = 0;
  const clientData = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const header = ({ rpId, verified = true }: Ceremony, flags: number) => {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      sha256(rpId),
      Buffer.from([flags | present | (verified ? verifiedFlag : 0)]),
      count,
    ]);
  };
  const answer = (response: object) => ({
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response,
  });
  return {
    id,
    register: (ceremony: Ceremony) => {
      // The COSE form of an ES256 key.
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array<ArrayBuffer>>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, "base64url"))],
          [-3, new Uint8Array(Buffer.from(y, "base64url"))],
        ]),
      );
      const length = Buffer.from([0, credentialId.length]);
      const authData = Buffer.concat([
        header(ceremony, attested),
        Buffer.alloc(16),
        length,
        credentialId,
        Buffer.from(key),
      ]);
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
          ["fmt", "none"],
          ["attStmt", new Map<string, string>()],
          ["authData", new Uint8Array(authData)],
        ]),
      );
      return answer({
        clientDataJSON: base64url(clientData("webauthn.create", ceremony)),
        attestationObject: base64url(attestationObject),
        transports: ["internal"],
      });
    },
    authenticate: (ceremony: Ceremony) => {
      const data = clientData("webauthn.get", ceremony);
      const authenticatorData = header(ceremony, 0);
      const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(data)]), privateKey);
      return answer({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      });
    },
  };
};

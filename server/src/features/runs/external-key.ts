import { hash } from "node:crypto";

export interface KeyParts {
  readonly importId: string;
  readonly keyGeneration: number;
  readonly stream: string;
  readonly sourceId: string;
}

/** The name under which a copy can be found again: one per import, generation and record, 63 characters. */
export const externalKey = ({ importId, keyGeneration, stream, sourceId }: KeyParts): string =>
  `${importId}:${hash("sha256", `${keyGeneration}\0${stream}\0${sourceId}`, "hex").slice(0, 32)}`;

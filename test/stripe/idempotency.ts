export interface Said {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusal = (status: number, code: string | null, message: string): Said => ({
  status,
  body: { error: { type: "idempotency_error", ...(code !== null && { code }), message } },
});

/** The vendor's store of idempotency keys: the same key returns the same answer and repeats nothing. */
export const createIdempotency = () => {
  const kept = new Map<string, { readonly fingerprint: string; said: Said | null }>();
  return {
    /** `act` returns null if nothing started, so that the key is not stored: a mistake in the request. */
    once: async (
      key: string | undefined,
      fingerprint: string,
      act: () => Promise<{ readonly said: Said; readonly begun: boolean }>,
    ): Promise<Said> => {
      if (key === undefined) return (await act()).said;
      const known = kept.get(key);
      if (known && known.fingerprint !== fingerprint)
        return refusal(400, null, "Keys for idempotent requests can only be used with the same parameters.");
      if (known?.said)
        return { ...known.said, headers: { ...known.said.headers, "idempotent-replayed": "true" } };
      if (known)
        return refusal(409, "idempotency_key_in_use", "There is a request in progress with this key.");
      const entry: { readonly fingerprint: string; said: Said | null } = { fingerprint, said: null };
      kept.set(key, entry);
      const { said, begun } = await act();
      if (begun) entry.said = said;
      else kept.delete(key);
      return said;
    },
    /** As the vendor does after a day at the earliest. */
    forget: () => kept.clear(),
  };
};

/**
 * Where a fact comes from. S: the vendor's description; D: the vendor's documentation; A, T, N, G, W: code or pages of others
 * who use the API (Airbyte, Singer taps, Nango, AWS Glue, a copy of the reference); I: an issue that shows it happen;
 * K: general knowledge that no source at hand shows. K alone is an assumption.
 */
export type Mark = "S" | "D" | "A" | "T" | "N" | "G" | "W" | "I" | "K";

/** A statement about the vendor, and where it comes from. */
export interface Claim {
  readonly says: string;
  readonly marks: readonly Mark[];
}

/** A documented pitfall. */
export interface Law extends Claim {
  /**
   * `request`: the stand-in sees a breach and records it. `outcome`: the stand-in behaves so, and a caller that does not
   * know loses or doubles records, which a comparison shows.
   */
  readonly seen: "request" | "outcome";
}

export type Laws = Readonly<Record<string, Law>>;

export interface Breach<L extends Laws> {
  readonly law: keyof L & string;
  readonly operation: string;
  readonly detail: string;
}

/** The breaches of a stand-in's laws so far. A caller may be refused as well, or not notice at all. */
export const createBreaches = <L extends Laws>(laws: L) => {
  const all: Breach<L>[] = [];
  return {
    all,
    record: (law: keyof L & string, operation: string, detail: string) => {
      if (laws[law]?.seen !== "request") throw new Error(`${law} is no law that a request breaks.`);
      all.push({ law, operation, detail });
    },
    of: (law: keyof L & string) => all.filter((breach) => breach.law === law),
    clear: () => void all.splice(0),
  };
};

export type Breaches<L extends Laws> = ReturnType<typeof createBreaches<L>>;

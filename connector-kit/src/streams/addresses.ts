import { pathWithin } from "../path-within.ts";

type Parts = Readonly<Record<string, string>>;

interface Addressed {
  readonly id: string;
  readonly parentId?: string;
}

/** Where the tool's pages show the records of a stream. */
export interface Address {
  /**
   * Below the instance's address: `/issues/:id`, `/show?id=:id#note-:noteId`. `:id` and names that end with `Id` stand for a
   * number, all others for a text without a slash. The first is the record's own address; the others show it too.
   */
  readonly at: string | readonly [string, ...string[]];
  /** For ids that are not just `:id`: the id from the parts of an address. */
  id?(parts: Parts): string;
  /** And the parts of the record's own address; null: this tool has no such id. */
  parts?(record: Addressed): Readonly<Record<string, string | number>> | null;
}

interface Instance {
  readonly instanceUrl: string;
}

interface Found {
  readonly stream: string;
  readonly id: string;
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const form = (name: string, digits: number) =>
  /(?:^i|I)d$/.test(name) ? String.raw`[1-9]\d{0,${digits - 1}}` : "[^/]{1,765}";

/** Compiled once: old links are matched with all patterns of a tool at every request. */
const compiled = new Map<string, RegExp>();

const expressionOf = (pattern: string, digits: number): RegExp => {
  const key = `${digits} ${pattern}`;
  const known = compiled.get(key);
  if (known) return known;
  const source = pattern.replace(/:([a-zA-Z]+)|([^:]+|:)/g, (_, name?: string, plain = "") =>
    name === undefined ? escape(plain) : `(?<${name}>${form(name, digits)})`,
  );
  const made = new RegExp(`^${source}$`);
  compiled.set(key, made);
  return made;
};

/** The parts of a text that has the form of the pattern; null if it does not. */
const match = (pattern: string, text: string, digits: number): Parts | null => {
  const found = expressionOf(pattern, digits).exec(text);
  return found && { ...found.groups };
};

const split = (pattern: string) => {
  const [, path = "", query = "", fragment = null] = /^\/([^?#]*)\??([^#]*)#?(.+)?$/.exec(pattern) ?? [];
  const asked = query === "" ? [] : query.split("&").map((pair) => /^([^=]*)=(.*)$/.exec(pair) ?? []);
  const pairs = asked.map(([, name = "", value = ""]) => ({ name, value: decodeURIComponent(value) }));
  return { path, query: pairs, fragment };
};

const decoded = (parts: Parts): Parts | null => {
  try {
    return Object.fromEntries(
      Object.entries(parts).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return null;
  }
};

interface AddressQuery extends Instance {
  readonly url: string;
  readonly digits: number;
}

const partsAt = (pattern: string, { instanceUrl, url, digits }: AddressQuery): Parts | null => {
  const within = pathWithin(instanceUrl, url);
  if (!within) return null;
  const { path, query, fragment } = split(pattern);
  const inPath = match(path, within.path.replace(/\/$/, ""), digits);
  const inFragment = fragment === null ? {} : match(fragment, within.fragment, digits);
  const own = inPath && decoded(inPath);
  if (!own || !inFragment) return null;
  const inQuery = query.map(({ name, value }) => {
    const [given, ...more] = within.query.getAll(name);
    return given === undefined || more.length > 0 ? null : match(value, given, digits);
  });
  return inQuery.includes(null) ? null : Object.assign({}, own, inFragment, ...inQuery);
};

const patternsOf = ({ at }: Address): readonly string[] => (typeof at === "string" ? [at] : at);

const idPart = (parts: Parts): string => parts.id ?? "";

const addressAt = (book: readonly (readonly [string, Address])[], asked: AddressQuery) => {
  for (const [stream, address] of book)
    for (const pattern of patternsOf(address)) {
      const parts = partsAt(pattern, asked);
      if (parts) return { stream, id: (address.id ?? idPart)(parts) };
    }
  return null;
};

/**
 * The addresses of a tool's records, written once: for `urlOf`, for `recordAt`, and for links in texts. The first that fits
 * counts, so `/issues/:id#note-:noteId` comes before `/issues/:id`.
 */
export const addressBook = (
  streams: Readonly<Record<string, string | Address>>,
  /** The most digits that a number of this tool can have. */
  digits = 9,
) => {
  const book = Object.entries(streams).map(
    ([stream, address]) => [stream, typeof address === "string" ? { at: address } : address] as const,
  );
  return {
    /** The `urlOf` of a stream. */
    urlOf: (stream: string) => {
      const address = book.find(([name]) => name === stream)?.[1] ?? { at: "/" };
      const partsOf: NonNullable<Address["parts"]> = address.parts ?? (({ id }) => ({ id }));
      return ({ instanceUrl }: Instance, record: Addressed): string => {
        const parts = partsOf(record) ?? {};
        const path = (patternsOf(address)[0] ?? "/").replace(/:([a-zA-Z]+)/g, (_, name: string) =>
          encodeURIComponent(parts[name] ?? ""),
        );
        return `${instanceUrl.replace(/\/+$/, "")}${path}`;
      };
    },
    /** The record of an address that a person entered; null: none of this instance. */
    recordAt: ({ instanceUrl }: Instance, url: string): Found | null =>
      addressAt(book, { instanceUrl, url, digits }),
    /** The same for a link in a text, which may be relative to the instance. */
    targetOf: ({ instanceUrl }: Instance, url: string): Found | null => {
      const base = instanceUrl.endsWith("/") ? instanceUrl : `${instanceUrl}/`;
      return addressAt(book, { instanceUrl, url: URL.parse(url, base)?.href ?? "", digits });
    },
  };
};

interface PageLinks {
  /** Null: this is the first page. */
  readonly first: string | null;
  /** Null: this is the last one. */
  readonly next: string | null;
}

interface ListPlace {
  /** Of the screen: "/billing". */
  readonly path: string;
  /** In its address: other lists of the screen, and filters, stay as they are. */
  readonly query: URLSearchParams;
  /** The parameter of this list. */
  readonly name: string;
}

/** Where the pages of a list are, by what the API answers as `next`: only it knows whether there is more. */
export const pageLinks = ({ path, query, name }: ListPlace, next: string | null): PageLinks => {
  const address = (place: string | null) => {
    const changed = new URLSearchParams(query);
    if (place === null) changed.delete(name);
    else changed.set(name, place);
    const text = changed.toString();
    return text === "" ? path : `${path}?${text}`;
  };
  return { first: query.has(name) ? address(null) : null, next: next === null ? null : address(next) };
};

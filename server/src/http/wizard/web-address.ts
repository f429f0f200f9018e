/** What a tool calls an address becomes a link only where it is one. */
export const webAddress = (address: string | null | undefined): string | null =>
  address && /^https?:\/\//i.test(address) ? address : null;

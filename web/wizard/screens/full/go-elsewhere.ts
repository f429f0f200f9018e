/** Leaves for a page of the partner: its operator wrote the address down, and only one of the web is followed. */
export const goElsewhere = (address: string): void => {
  const { protocol } = new URL(address);
  if (protocol === "https:" || protocol === "http:") window.location.assign(address);
};

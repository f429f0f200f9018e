/** Opens a page of the partner. The address is configured by the operator; only http and https are followed. */
export const goElsewhere = (address: string): void => {
  const { protocol } = new URL(address);
  if (protocol === "https:" || protocol === "http:") window.location.assign(address);
};

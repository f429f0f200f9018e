/** "tickets", and "ticket" for one: kinds of records come from the server by their plural. */
export const kindWord = (label: string, count: number): string => {
  const plural = label.toLowerCase();
  return count === 1 ? plural.replace(/ies$/, "y").replace(/([^s])s$/, "$1") : plural;
};

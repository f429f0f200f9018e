/**
 * The id of a self-hosted instance: its host, and its path if it has one. A host can serve several instances, each with
 * its own accounts, records and quotas.
 */
export const instanceId = (instanceUrl: string): string => {
  const { host, pathname } = new URL(instanceUrl);
  return `${host}${pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "")}`;
};

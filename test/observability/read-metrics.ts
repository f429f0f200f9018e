/** The values of a process, by name and labels as Prometheus reads them. */
export const readMetrics = async (url: string): Promise<ReadonlyMap<string, number>> => {
  const answer = await fetch(`${url}/metrics`);
  const values = new Map<string, number>();
  for (const line of (await answer.text()).split("\n")) {
    const split = line.lastIndexOf(" ");
    if (line !== "" && !line.startsWith("#")) values.set(line.slice(0, split), Number(line.slice(split + 1)));
  }
  return values;
};

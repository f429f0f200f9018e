import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A dependency by its name, our code by its file, the runtime by its function. */
const placeOf = ({ functionName, url }: CpuProfile["nodes"][number]["callFrame"]): string => {
  const dependency = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (dependency) return dependency;
  const own = /\/((?:server\/src|connector-kit\/src|connectors|test)\/.*)$/.exec(url)?.[1];
  return own ?? (url === "" ? functionName : "node");
};

export interface Spent {
  readonly place: string;
  readonly micros: number;
}

/** Self times of the profile in this folder, largest first. */
export const readProfile = (folder: string): readonly Spent[] => {
  const spent = new Map<string, number>();
  for (const name of readdirSync(folder)) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), "utf8")) as CpuProfile;
    const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
    for (const [index, id] of samples.entries()) {
      const place = places.get(id) ?? "";
      if (place !== "(idle)") spent.set(place, (spent.get(place) ?? 0) + (timeDeltas[index] ?? 0));
    }
  }
  return [...spent].map(([place, micros]) => ({ place, micros })).toSorted((a, b) => b.micros - a.micros);
};

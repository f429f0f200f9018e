import { join } from "node:path";
import type { Connector } from "@portage/connector-kit";

/** Where a stand-in listens: its API and its host of files. */
export interface VendorAddresses {
  readonly url: string;
  readonly filesUrl: string;
}

const packageOf = (tool: string) => join(import.meta.dirname, `${tool}.ts`);
const variableOf = (tool: string) => `VENDOR_${tool.toUpperCase()}`;

/** The name of a vendor's connector that is bound to a stand-in: the built-in one takes the vendor's own addresses alone. */
export const atStandIn = (tool: string): string => `${tool}-stand-in`;

/** For PORTAGE_CONNECTORS, and the variables that tell these packages where the stand-ins are. */
export const vendorPackages = (at: Readonly<Record<string, VendorAddresses>>) => ({
  packages: Object.keys(at).map(packageOf),
  env: Object.fromEntries(
    Object.entries(at).map(([tool, { url, filesUrl }]) => [variableOf(tool), `${url} ${filesUrl}`]),
  ),
});

const addressesOf = (tool: string): VendorAddresses => {
  const [url, filesUrl] = (process.env[variableOf(tool)] ?? "").split(" ");
  if (!url || !filesUrl) throw new Error(`${variableOf(tool)} does not tell where the stand-in is.`);
  return { url, filesUrl };
};

/** The connector at the stand-in's addresses, by another name: the server has the vendor's own built in. */
export const boundTo = <S>(tool: string, create: (at: VendorAddresses) => Connector<S>): Connector<S> => {
  const bound = create(addressesOf(tool));
  return { ...bound, manifest: { ...bound.manifest, name: atStandIn(tool) } };
};

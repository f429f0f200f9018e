import type { Connector, FamilyRecord } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

/** Where a person finds a record in the old tool; null: that needs more than its id. */
export type AddressOf = (stream: string, id: string) => string | null;

export const noAddresses: AddressOf = () => null;

/** Only the id of a record is stored; access to any other field throws instead of inventing a value. */
const idOnly = (id: string) =>
  new Proxy({ id } as FamilyRecord, {
    get: (record, field) => {
      if (field === "id") return record.id;
      throw new TypeError("Only the id is known.");
    },
  });

export const createAddressOf = (
  source: { readonly connector: Connector; readonly settings: unknown },
  family: Family,
): AddressOf => {
  const streams = new Map(
    (source.connector.source?.[family] ?? []).map((stream) => [stream.stream.name, stream]),
  );
  return (stream, id) => {
    try {
      const address = streams.get(stream)?.urlOf?.(source.settings, idOnly(id));
      return address !== undefined && /^https?:\/\//i.test(address) ? address : null;
    } catch {
      return null;
    }
  };
};

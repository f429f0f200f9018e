import { type Connector, familyStreams } from "@portage/connector-kit";
import { type Family, isStorableText } from "@portage/contract";
import { layOut } from "../sample/layout.ts";
import { type AddressOf, createAddressOf } from "../report/source-address.ts";
import type { OldLinkSettings } from "./store-old-links.ts";

interface OldRecord {
  readonly stream: string;
  readonly id: string;
  /** What it is shown in. */
  readonly parent?: { readonly stream: string; readonly id: string };
}

const maxLength = 2_000;

const otherScheme = (url: string) =>
  /^https:/i.test(url) ? url.replace(/^https:/i, "http:") : url.replace(/^http:/i, "https:");

/** The record that `#123` or `123` means: of the family's main stream, such as tickets. */
const mainStreams = Object.fromEntries(
  Object.entries(familyStreams).map(([family, streams]) => [family, layOut(streams).main]),
) as Readonly<Record<Family, string | null>>;

/**
 * The record that an old address or id means: a URL of the old tool, `stream/id` as in the downloads, or the number of a ticket with
 * or without `#`. Pure, so that nothing is searched or called. Null: it is none of this import's old tool.
 */
export const oldRecord = (
  { connector, settings, family }: { connector: Connector; settings: unknown; family: Family },
  address: string,
): OldRecord | null => {
  const text = address.trim();
  if (text.length > maxLength || !isStorableText(text)) return null;
  if (/^https?:\/\//i.test(text))
    // Links in old mails may be from before the tool had a certificate.
    return (
      connector.recordAt?.(settings, text, family) ??
      connector.recordAt?.(settings, otherScheme(text), family) ??
      null
    );
  const [, stream, id] = /^([a-zA-Z]+)\/(.+)$/s.exec(text) ?? [];
  if (stream !== undefined && id !== undefined)
    return familyStreams[family].some(({ name }) => name === stream) ? { stream, id } : null;
  const main = mainStreams[family];
  const number = text.replace(/^#/, "");
  return main === null || !/^[^/\s]+$/.test(number) ? null : { stream: main, id: number };
};

export const oldAddressOf = (connector: Connector, { sourceSettings, family }: OldLinkSettings): AddressOf =>
  createAddressOf({ connector, settings: sourceSettings }, family);

/** Only the id is known: an address that needs more throws instead of leading elsewhere. */
const idOnly = (id: string): { readonly id: string } =>
  new Proxy(
    { id },
    {
      get: (record, field) => {
        if (field === "id") return record.id;
        throw new TypeError("Only the id is known.");
      },
    },
  );

const webAddress = (address: string | undefined): string | null => {
  const url = URL.parse(address ?? "");
  return url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? url.href
    : null;
};

/** The address of a copy, as the destination's connector makes it: no part of it comes from the request. */
export const newAddressOf = (
  connector: Connector,
  { destinationSettings, destinationUrls, family }: OldLinkSettings,
): AddressOf => {
  const streams = new Map((connector.destination?.[family] ?? []).map((each) => [each.stream.name, each]));
  return (stream, id) => {
    const template = Object.hasOwn(destinationUrls, stream) ? destinationUrls[stream] : undefined;
    if (template !== undefined)
      return template.includes("{parentId}")
        ? null
        : webAddress(template.replaceAll("{id}", encodeURIComponent(id)));
    try {
      return webAddress(streams.get(stream)?.urlOf?.(destinationSettings, idOnly(id)));
    } catch {
      return null;
    }
  };
};

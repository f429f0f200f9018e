import type { Manifest } from "@portage/connector-kit";
import type { ChunkContext } from "../chunk/chunk-context.ts";
import { saveOldLinks } from "./store-old-links.ts";

/** The settings that sign in: neither secrets nor the names that go with them are needed for an address. */
const signInSettings = ({ auth }: Manifest): readonly string[] => {
  const secret = auth.kind === "choice" ? auth.secret : auth;
  const own = secret.kind === "secret" ? [...secret.secrets, ...(secret.alongside ?? [])] : [];
  return [...own, "username"];
};

/** The settings from which a connector makes addresses: texts, without those for the sign-in. */
export const addressSettings = (manifest: Manifest, settings: unknown): Readonly<Record<string, unknown>> => {
  const signIn = new Set(signInSettings(manifest));
  return Object.fromEntries(
    Object.entries(settings as Readonly<Record<string, unknown>>).filter(
      ([name, value]) => typeof value === "string" && !signIn.has(name),
    ),
  );
};

/**
 * Keeps what leads from old addresses to new ones: the sign-ins, which have the addresses of both tools, are erased long before
 * people stop following old links.
 */
export const keepOldLinks = ({ db, lease, source, destination, streams }: ChunkContext): Promise<void> =>
  saveOldLinks(
    db,
    {
      importId: lease.importId,
      family: lease.family,
      leaf: lease.leaf,
      sourceTool: source.connector.manifest.name,
      sourceSettings: addressSettings(source.connector.manifest, source.settings),
      destinationTool: destination.connector.manifest.name,
      destinationSettings: addressSettings(destination.connector.manifest, destination.settings),
      destinationUrls: Object.fromEntries(
        streams.flatMap(({ name, to }) => (to?.urlTemplate === undefined ? [] : [[name, to.urlTemplate]])),
      ),
    },
    lease.kind === "full",
  );

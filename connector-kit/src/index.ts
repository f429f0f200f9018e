export type { Connector, Manifest, Role } from "./manifest.ts";

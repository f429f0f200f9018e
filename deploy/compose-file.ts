import { parse } from "yaml";

export interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly secrets?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
}

export const readCompose = (text: string): ComposeFile => parse(text, { merge: true }) as ComposeFile;

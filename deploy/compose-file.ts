import { parse } from "yaml";

export interface HealthCheck {
  readonly test?: readonly string[];
  readonly disable?: boolean;
  readonly interval?: string;
  readonly start_period?: string;
  readonly retries?: number;
}

/** What compose.yaml says of a service, as far as it is used there. */
export interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly networks?:
    | readonly string[]
    | Readonly<Record<string, { readonly aliases?: readonly string[] } | null>>;
  readonly network_mode?: string;
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly restart?: string;
  readonly secrets?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly shm_size?: string;
  readonly pids_limit?: number;
  readonly healthcheck?: HealthCheck;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface ComposeFile {
  readonly name?: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes?: Readonly<Record<string, null>>;
}

export const readCompose = (text: string): ComposeFile => parse(text, { merge: true }) as ComposeFile;

const pattern = /\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g;

/** The text with `${NAME}`, `${NAME:-default}` and `${NAME:?message}` filled in, and `$$` as one dollar. */
export const fillIn = (text: string, variables: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(pattern, (found, name: string | undefined, how: string | undefined, rest: string) => {
    if (name === undefined) return "$";
    const value = variables[name];
    if (value) return value;
    if (how === "?") throw new Error(`${name} is missing: ${rest}`);
    return how === "-" ? rest : "";
  });

import type { Config } from "./config.ts";

/** The address of the console in browsers. */
export const operatorUrlOf = ({
  OPERATOR_URL,
  OPERATOR_PORT,
}: Pick<Config, "OPERATOR_URL" | "OPERATOR_PORT">): string =>
  OPERATOR_URL ?? `http://127.0.0.1:${OPERATOR_PORT ?? 0}`;

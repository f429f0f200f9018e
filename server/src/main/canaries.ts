import { type Config, ConfigError } from "./config.ts";

/** The operator's mailbox for canaries; null: there is none, and silence is measured only by tools' own logs. */
export const readCanaryMailbox = ({
  CANARY_ADDRESS,
  CANARY_SMTP_PORT,
}: Pick<Config, "CANARY_ADDRESS" | "CANARY_SMTP_PORT">): {
  readonly address: string;
  readonly port: number;
} | null => {
  if (CANARY_ADDRESS === undefined && CANARY_SMTP_PORT === undefined) return null;
  if (CANARY_ADDRESS === undefined || CANARY_SMTP_PORT === undefined)
    throw new ConfigError("CANARY_ADDRESS and CANARY_SMTP_PORT belong together: set both, or neither.");
  return { address: CANARY_ADDRESS, port: CANARY_SMTP_PORT };
};

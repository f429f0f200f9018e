import type { SmtpServer } from "../features/mail/index.ts";
import { isLoopback } from "../platform/is-loopback.ts";
import { Secret } from "../platform/secret.ts";
import { type Config, ConfigError } from "./config.ts";

/** Reads the mail settings; null: Portage sends no mail. TLS is required unless the mail server is on loopback. */
export const readMail = ({
  SMTP_URL,
  MAIL_FROM,
}: Pick<Config, "SMTP_URL" | "MAIL_FROM">): { server: SmtpServer; from: string } | null => {
  if (SMTP_URL === undefined && MAIL_FROM === undefined) return null;
  if (SMTP_URL === undefined || MAIL_FROM === undefined)
    throw new ConfigError("SMTP_URL and MAIL_FROM belong together: set both, or neither.");
  const url = new URL(SMTP_URL);
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const user = decodeURIComponent(url.username);
  return {
    from: MAIL_FROM,
    server: {
      host,
      secure,
      requireTls: !isLoopback(host),
      port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
      auth: user === "" ? null : { user, password: new Secret(decodeURIComponent(url.password)) },
    },
  };
};

import { setTimeout as sleep } from "node:timers/promises";
import { createTransport, type NodemailerError } from "nodemailer";
import type { Secret } from "../../platform/secret.ts";

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise the client asks for it (STARTTLS). */
  readonly secure: boolean;
  /** Sends nothing to a server that does not support TLS. */
  readonly requireTls: boolean;
  readonly auth: { readonly user: string; readonly password: Secret } | null;
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string;
}

export interface MailMessage {
  readonly messageId: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: Secret;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The URL where one POST stops these mails; null: they can't be stopped. */
  readonly stopLink: string | null;
}

export type SmtpOutcome =
  | { readonly kind: "accepted" }
  /** The server refused this mail to this address for good. */
  | { readonly kind: "refused"; readonly code: string; readonly status: number }
  /** A retry may succeed. */
  | { readonly kind: "failed"; readonly code: string; readonly status: number | null };

export type SendMessage = (message: MailMessage) => Promise<SmtpOutcome>;

/** The deadline for a slow server: shorter than the lease of a mail. */
const longestMs = 60_000;

/** Only a refused recipient or message is final. A refused sender or sign-in is the operator's to fix. */
const isFinal = ({ command, responseCode }: NodemailerError) =>
  (command === "RCPT TO" || command === "DATA") && responseCode !== undefined && responseCode >= 500;

/** Drops the error's message, as servers repeat addresses in it. */
const outcomeOf = (error: unknown): SmtpOutcome => {
  const failure = error as NodemailerError;
  const code = failure.code ?? "unknown";
  return isFinal(failure)
    ? { kind: "refused", code, status: failure.responseCode ?? 0 }
    : { kind: "failed", code, status: failure.responseCode ?? null };
};

/** Sends through the operator's mail server: one connection per mail, as they are few. */
export const createSmtp = (server: SmtpServer): SendMessage => {
  const { auth, ca } = server;
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls && !server.secure,
    tls: { minVersion: "TLSv1.2", ...(ca !== undefined && { ca }) },
    ...(auth && { auth: { user: auth.user, pass: auth.password.reveal() } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // Never read content from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  return async (message) => {
    const to = message.to.reveal();
    const sending = transport
      .sendMail({
        from: message.from,
        to: { name: "", address: to },
        messageId: message.messageId,
        envelope: { from: message.from.address, to: [to] },
        ...(message.replyTo !== null && { replyTo: { name: "", address: message.replyTo } }),
        subject: message.subject,
        text: message.text,
        html: message.html,
        xMailer: false,
        headers: {
          "Auto-Submitted": "auto-generated",
          ...(message.stopLink !== null && {
            "List-Unsubscribe": { prepared: true, value: `<${message.stopLink}>` },
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
      })
      .then((): SmtpOutcome => ({ kind: "accepted" }), outcomeOf);
    const late = new AbortController();
    const tooLate = sleep(longestMs, undefined, { signal: late.signal }).then(
      (): SmtpOutcome => ({ kind: "failed", code: "too_late", status: null }),
    );
    const outcome = await Promise.race([sending, tooLate]);
    tooLate.catch(() => {});
    late.abort();
    return outcome;
  };
};

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as its recipient's server got it. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string | null;
  readonly raw: string;
  readonly mail: Email;
  header(name: string): string | undefined;
}

/** An SMTP error code that the server answers. */
export interface Refusals {
  readonly rcpt?: number | undefined;
  readonly data?: number | undefined;
}

export interface MailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** Sets the answer to later mails. */
  refuse(refusals: Refusals): void;
  /** A hook between receiving a mail and acknowledging it. */
  beforeYes(hook: () => Promise<void>): void;
  close(): Promise<void>;
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate for 127.0.0.1. */
export const makeCertificate = (): Certificate => {
  const folder = mkdtempSync(join(tmpdir(), "portage-cert-"));
  try {
    const key = join(folder, "key.pem");
    const cert = join(folder, "cert.pem");
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=127.0.0.1",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-keyout",
        key,
        "-out",
        cert,
      ],
      { stdio: "ignore" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const saying = (responseCode: number) =>
  Object.assign(new Error("no such user jo.doe@example.com here"), { responseCode });

/** A real mail server on loopback that keeps the mails, parsed by a real parser. */
export const startMailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  let refusals: Refusals = {};
  let beforeYes = async () => {};
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    hideSTARTTLS: options.cert === undefined,
    onRcptTo: (_, __, done) => done(refusals.rcpt === undefined ? null : saying(refusals.rcpt)),
    onData: (stream, session, done) => {
      const take = async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        if (refusals.data !== undefined) throw saying(refusals.data);
        const bytes = Buffer.concat(chunks);
        const mail = await PostalMime.parse(bytes);
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: typeof session.user === "string" ? session.user : null,
          mail,
          raw: bytes.toString("utf8"),
          header: (name) => mail.headers.find(({ key }) => key === name.toLowerCase())?.value,
        });
        await beforeYes();
      };
      take().then(
        () => done(),
        (error: Error) => done(error),
      );
    },
    ...options,
  });
  server.on("error", () => {}); // clients that hang up, as in some tests
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, "127.0.0.1", () =>
      resolve((listening.address() as { port: number }).port),
    );
  });
  return {
    port,
    received,
    refuse: (wanted) => void (refusals = wanted),
    beforeYes: (hook) => void (beforeYes = hook),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { addMessage, isKnownToken, noteMailboxChange, streamIn, tokenIn } from "../features/runs/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";

export interface CanaryMailboxNeeds {
  readonly db: Database;
  readonly log: Log;
  /** Mails to `local+token@domain` of this address are received. */
  readonly address: string;
  readonly host: string;
  readonly port: number;
}

export interface OpenCanaryMailbox {
  readonly port: number;
  close(): Promise<void>;
}

/** The beginning is enough to know which record a mail is about; a mail of any size counts. */
const maxReadBytes = 256 * 1024;

const readStart = async (mail: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of mail) {
    if (length < maxReadBytes) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, maxReadBytes);
};

/** A mail that can't be read is a message all the same. */
const readMail = async (mail: Buffer): Promise<Partial<Email>> => {
  try {
    return await PostalMime.parse(mail);
  } catch {
    return {};
  }
};

/** Rejects the recipient for good: nothing else is delivered here. */
const noSuchMailbox = () => Object.assign(new Error("No such mailbox here."), { responseCode: 550 });

/**
 * Receives mails that a tool sends about canaries. Any worker may receive them: the database brings them to the run. Without
 * STARTTLS, because a sender that checks the certificate would deliver nothing, and that would look like silence.
 */
export const startCanaryMailbox = async ({
  db,
  log,
  address,
  host,
  port,
}: CanaryMailboxNeeds): Promise<OpenCanaryMailbox> => {
  const tokensOf = async (to: string): Promise<string | null> => {
    const token = tokenIn(address, to);
    return token !== null && (await isKnownToken(db, token)) ? token : null;
  };
  const receive = async (mail: AsyncIterable<Buffer>, recipients: readonly string[]) => {
    const { subject = "", text = "", html = "" } = await readMail(await readStart(mail));
    for (const to of recipients) {
      const token = await tokensOf(to);
      if (token === null) continue;
      const stream = streamIn(token, `${subject}\n${text}\n${html}`);
      await addMessage(db, token, { stream, subject: subject.slice(0, 200) });
      log.warn({ token, stream }, "a tool sent a mail about a canary");
    }
  };
  const server = new SMTPServer({
    banner: "Portage canary mailbox",
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    maxClients: 100,
    logger: false,
    onRcptTo({ address: to }, _, callback) {
      tokensOf(to).then(
        (token) => callback(token === null ? noSuchMailbox() : null),
        (error: unknown) => callback(error as Error),
      );
    },
    onData(stream, { envelope }, callback) {
      receive(
        stream,
        envelope.rcptTo.map((to) => to.address),
      ).then(
        () => callback(),
        // The sender tries again: it gets a temporary error.
        (error: unknown) => callback(error as Error),
      );
    },
  });
  server.on("error", (error) => log.warn({ err: error }, "the canary mailbox had a problem"));
  const listening = Promise.withResolvers<number>();
  server.server.once("error", listening.reject);
  server.listen(port, host, () => {
    const bound = server.server.address();
    listening.resolve(typeof bound === "object" && bound !== null ? bound.port : port);
  });
  const bound = await listening.promise;
  await noteMailboxChange(db);
  // The process ends also while the database is away.
  const noteClosing = () =>
    noteMailboxChange(db).catch((err: unknown) =>
      log.warn({ err }, "could not note that the canary mailbox closes"),
    );
  return {
    port: bound,
    close: async () => {
      // Before, for measurements that end while it closes; after, for those that begin meanwhile.
      await noteClosing();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await noteClosing();
    },
  };
};

import { createServer, type Socket } from "node:net";

export interface SunkMail {
  readonly recipients: readonly string[];
  readonly subject: string;
}

export interface SmtpSink {
  readonly port: number;
  /** Every mail that arrived since the start, or since it was last emptied. */
  mails(): readonly SunkMail[];
  empty(): void;
  close(): Promise<void>;
}

const subjectOf = (message: string) => /^subject:\s*(.*)$/im.exec(message)?.[1]?.trim() ?? "";

/** One SMTP session: it accepts everything and delivers nothing. */
const converse = (socket: Socket, take: (mail: SunkMail) => void) => {
  let waiting = "";
  let recipients: string[] = [];
  let message: string[] | null = null;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const hear = (line: string) => {
    if (message) {
      if (line !== ".") return void message.push(line);
      take({ recipients, subject: subjectOf(message.join("\n")) });
      message = null;
      recipients = [];
      return void say("250 sunk");
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "RCPT") recipients.push(/<([^>]*)>/.exec(line)?.[1] ?? line);
    if (verb === "DATA") message = [];
    if (verb === "QUIT") return void socket.end("221 bye\r\n");
    say(verb === "DATA" ? "354 go on" : "250 ok");
  };
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    const lines = (waiting + chunk).split(/\r?\n/);
    waiting = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
  say("220 sink");
};

/** A mail server on loopback that only counts, so that a test can show that no mail was sent. */
export const startSmtpSink = async (): Promise<SmtpSink> => {
  const mails: SunkMail[] = [];
  const server = createServer((socket) => converse(socket, (mail) => mails.push(mail)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    mails: () => [...mails],
    empty: () => void mails.splice(0),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

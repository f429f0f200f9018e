import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  readonly end: "answered" | "closed" | "silent";
  /** Bytes after the last whole answer. */
  readonly rest: string;
}

type Parsed = { readonly answer: RawAnswer; readonly length: number } | undefined;

const parseOne = (bytes: string, isHead: boolean): Parsed => {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [first = "", ...lines] = bytes.slice(0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const start = headEnd + 4;
  const isInterim = status >= 100 && status < 200;
  const length = isInterim || isHead ? 0 : Number(headers.get("content-length") ?? 0);
  if (headers.has("transfer-encoding")) throw new Error("This reader does not support chunked answers.");
  if (bytes.length < start + length) return undefined;
  const body = Buffer.from(bytes.slice(start, start + length), "latin1").toString("utf8");
  return { answer: { status, headers, body }, length: start + length };
};

/** Sends raw bytes and reads answers, until it has enough, the other side closes, or time is up. */
export const exchangeBytes = (
  port: number,
  bytes: string,
  {
    wanted,
    isHead = false,
    halfClose = false,
    timeoutMs = 8_000,
  }: {
    wanted: number;
    isHead?: boolean;
    halfClose?: boolean;
    timeoutMs?: number;
  },
): Promise<RawExchange> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const answers: RawAnswer[] = [];
    let rest = "";
    const finish = (end: RawExchange["end"]) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers, end, rest });
    };
    const timer = setTimeout(() => finish("silent"), timeoutMs);
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      try {
        for (let parsed = parseOne(rest, isHead); parsed; parsed = parseOne(rest, isHead)) {
          rest = rest.slice(parsed.length);
          if (parsed.answer.status >= 200 || Number.isNaN(parsed.answer.status)) answers.push(parsed.answer);
        }
      } catch (error) {
        clearTimeout(timer);
        socket.destroy();
        reject(error);
        return;
      }
      if (answers.length >= wanted) finish("answered");
    });
    socket.on("end", () => finish("closed"));
    // A server may close the connection of a sender that continues after its answer; the answers are what counts.
    socket.on("error", () => {});
    socket.on("close", () => finish("closed"));
    if (halfClose) socket.end(bytes, "latin1");
    else socket.write(bytes, "latin1");
  });

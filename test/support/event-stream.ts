export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
  /** The time of arrival, in milliseconds. */
  readonly at: number;
}

export interface EventStream {
  readonly events: StreamEvent[];
  /** Other lines: comments, and the reconnection time. */
  readonly remarks: string[];
  /** Resolves when the server has ended the stream; rejects when the connection broke. */
  readonly ended: Promise<void>;
  /** Waits for the next event. */
  next(): Promise<StreamEvent>;
}

/** Reads server-sent events as a browser would, from a response in progress. */
export const readEventStream = (answer: Response): EventStream => {
  const events: StreamEvent[] = [];
  const remarks: string[] = [];
  let wake = () => {};
  const take = (block: string) => {
    const fields = block.split("\n").map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
    });
    const data = fields.find(([name]) => name === "data")?.[1];
    if (data === undefined) remarks.push(block);
    else
      events.push({
        event: fields.find(([name]) => name === "event")?.[1] ?? "message",
        data: JSON.parse(data) as unknown,
        at: performance.now(),
      });
    wake();
  };
  const read = async () => {
    if (!answer.body) throw new Error("The answer has no body.");
    let text = "";
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        take(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
    wake();
  };
  const ended = read();
  ended.catch(() => wake());
  const next = async (): Promise<StreamEvent> => {
    const there = events.length;
    const woken = () => new Promise<void>((resolve) => (wake = resolve));
    for (;;) {
      const found = events[there];
      if (found) return found;
      await Promise.race([
        woken(),
        ended.then(() => {
          throw new Error("The stream ended.");
        }),
      ]);
    }
  };
  return { events, remarks, ended, next };
};

import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

export interface Child {
  /** The next message of the child; throws if the child ends first. */
  next<T>(): Promise<T>;
  ask<T>(): Promise<T>;
  stop(): void;
}

const heard = (child: ChildProcess, name: string) => {
  const messages: unknown[] = [];
  let wake = () => {};
  let ended: Error | undefined;
  child.on("message", (message) => {
    messages.push(message);
    wake();
  });
  // "close", not "exit": by then all messages have arrived.
  child.on("close", (code, signal) => {
    ended = new Error(`${name} ended too early (${code ?? signal}).`);
    wake();
  });
  return async (): Promise<unknown> => {
    while (messages.length === 0) {
      if (ended) throw ended;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return messages.shift();
  };
};

/** Starts a file of this folder as a separate process. */
export const startChild = (name: string, options: object, nodeFlags: readonly string[] = []): Child => {
  const file = join(import.meta.dirname, `${name}.ts`);
  const child = fork(file, [JSON.stringify(options)], { execArgv: [...nodeFlags] });
  const hear = heard(child, name);
  return {
    next: <T>() => hear() as Promise<T>,
    ask: <T>() => {
      child.send("ask");
      return hear() as Promise<T>;
    },
    stop: () => void child.kill(),
  };
};

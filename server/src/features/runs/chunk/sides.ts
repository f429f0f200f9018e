import { isConnectorError } from "@portage/connector-kit";
import type { Side } from "../run.ts";

/** Which side's call failed: a file that is read during a write fails inside the other side's call. */
const sides = new WeakMap<Error, Side>();

export const onSide = async <R>(side: Side, call: () => Promise<R>): Promise<R> => {
  try {
    return await call();
  } catch (error) {
    if (isConnectorError(error) && !sides.has(error)) sides.set(error, side);
    throw error;
  }
};

export const sideOf = (error: Error): Side => sides.get(error) ?? "destination";

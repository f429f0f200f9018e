import { inspect } from "node:util";

const shown = "[secret]";

/** A text that logs, JSON and error messages can't show; only `reveal()` returns it. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return shown;
  }
  toJSON(): string {
    return shown;
  }
  [inspect.custom](): string {
    return shown;
  }
}

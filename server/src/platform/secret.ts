import { inspect } from "node:util";

const shown = "[secret]";

/** A text that logs, JSON and error messages cannot show: only `reveal()` does. */
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

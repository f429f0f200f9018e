import { protocolErrors } from "@portage/contract/destination-protocol";

/** A whole call is refused; the protocol's code goes with its status. */
export class Refusal extends Error {
  readonly status: keyof typeof protocolErrors;
  constructor(status: keyof typeof protocolErrors, message: string) {
    super(message);
    this.status = status;
  }
}

export const refusalBody = (status: keyof typeof protocolErrors, message: string) => ({
  error: { code: protocolErrors[status][0], message },
});

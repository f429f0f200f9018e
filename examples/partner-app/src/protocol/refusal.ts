import { protocolErrors } from "@portage/contract/destination-protocol";

/** Refuses a whole call; the status determines the protocol's error code. */
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

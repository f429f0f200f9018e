import type { Transport, TransportRequest } from "@portage/connector-kit/http";

/** A tool that does not allow some requests: they never reach it. */
export const refusing = (
  transport: Transport,
  isRefused: (request: TransportRequest) => boolean,
  status = 403,
): Transport => ({
  async send(request) {
    if (!isRefused(request)) return transport.send(request);
    const body = (async function* () {
      yield Buffer.from("{}");
    })();
    return { status, headers: {}, url: request.url, body };
  },
});

/** The body of a request that is a text. */
export const textOf = ({ body }: TransportRequest): string => (typeof body === "string" ? body : "");

import { type Http, type HttpRequest, isRead } from "@portage/connector-kit";

/** A connector tried to write on a side that it may only read: a bug of the connector. */
export class WriteRefused extends Error {
  readonly code = "write_refused";
  constructor(label: string, method: string) {
    super(`The connector of ${label} tried ${method} on a side that is only read.`);
  }
}

/** Blocks every request that could change the tool: our promise about the source holds whatever its connector does. */
export const refuseWrites = (http: Http, label: string): Http => {
  const checked = (request: HttpRequest) => {
    if (!isRead(request)) throw new WriteRefused(label, request.method ?? "GET");
    return request;
  };
  return {
    send: async (request) => http.send(checked(request)),
    download: async (request) => http.download(checked(request)),
  };
};

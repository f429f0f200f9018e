import type { Http, HttpRequest } from "@portage/connector-kit";

/** A connector was about to change something where it may only read: a fault of its author. */
export class WriteRefused extends Error {
  readonly code = "write_refused";
  constructor(label: string, method: string) {
    super(`The connector of ${label} tried ${method} on a side that is only read.`);
  }
}

/** Searches go by POST where an address is too short for them; the connector says so, as it must for retries. */
const isRead = ({ method = "GET", idempotent = false }: HttpRequest) =>
  method === "GET" || method === "HEAD" || (method === "POST" && idempotent);

/** Lets nothing out that could change the tool: what we say of the old tool is so, whatever its connector does. */
export const readsOnly = (http: Http, label: string): Http => {
  const checked = (request: HttpRequest) => {
    if (!isRead(request)) throw new WriteRefused(label, request.method ?? "GET");
    return request;
  };
  return {
    send: async (request) => http.send(checked(request)),
    download: async (request) => http.download(checked(request)),
  };
};

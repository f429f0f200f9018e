import type { RedmineServer } from "./redmine-server.ts";

type Body = Readonly<Record<string, unknown>>;

/** Redmine's REST interface: for filling an instance and for checking it without the connector. */
export const redmineApi = ({ url, adminKey }: Pick<RedmineServer, "url" | "adminKey">) => {
  const call = async (
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    type = "application/json",
    as?: string,
  ) => {
    const answer = await fetch(`${url}/${path}`, {
      method,
      headers: {
        "x-redmine-api-key": adminKey,
        ...(body === undefined ? {} : { "content-type": type }),
        ...(as ? { "x-redmine-switch-user": as } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return text.trim() === "" ? {} : JSON.parse(text);
  };
  return {
    get: (path: string) => call("GET", path),
    post: (path: string, body: Body, as?: string) => call("POST", path, JSON.stringify(body), undefined, as),
    put: (path: string, body: Body, as?: string) => call("PUT", path, JSON.stringify(body), undefined, as),
    remove: (path: string) => call("DELETE", path),
    /** Returns the token that attaches the file to a record. */
    upload: async (name: string, bytes: Uint8Array<ArrayBuffer>, as?: string): Promise<string> => {
      const path = `uploads.json?filename=${encodeURIComponent(name)}`;
      const answer = await call("POST", path, bytes, "application/octet-stream", as);
      return answer.upload.token as string;
    },
  };
};

export type RedmineApi = ReturnType<typeof redmineApi>;

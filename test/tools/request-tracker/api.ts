/** Request Tracker's own interface, as a seed needs it: no retries, no paging, any unexpected answer throws. */
export interface RtApi {
  call<T = unknown>(method: string, path: string, body?: unknown, login?: string): Promise<T>;
  /** A message with files, as the given user: replies are public, comments are not. */
  message(ticket: string, kind: "correspond" | "comment", said: Message, login?: string): Promise<void>;
}

interface MessageFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Message {
  readonly text: string;
  readonly contentType?: "text/plain" | "text/html";
  readonly subject?: string;
  readonly files?: readonly MessageFile[];
}

export const createRtApi = (url: string, token: string, passwordOf: (login: string) => string): RtApi => {
  const authorization = (login?: string) =>
    login ? `Basic ${Buffer.from(`${login}:${passwordOf(login)}`).toString("base64")}` : `token ${token}`;
  const send = async (method: string, path: string, init: RequestInit, login?: string) => {
    const headers = { authorization: authorization(login), ...(init.headers as Record<string, string>) };
    const answer = await fetch(`${url}/REST/2.0/${path}`, { ...init, method, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return text;
  };
  return {
    async call<T>(method: string, path: string, body?: unknown, login?: string) {
      const init =
        body === undefined
          ? {}
          : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const text = await send(method, path, init, login);
      return (text ? JSON.parse(text) : null) as T;
    },
    async message(ticket, kind, { text, contentType = "text/plain", subject, files = [] }, login) {
      const form = new FormData();
      form.set("JSON", JSON.stringify({ Content: text, ContentType: contentType, Subject: subject }));
      for (const { name, type, bytes } of files)
        form.append("Attachments", new Blob([bytes], { type }), name);
      await send("POST", `ticket/${ticket}/${kind}`, { body: form }, login);
    },
  };
};

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

const people: Readonly<Record<string, { login: string; admin: boolean }>> = {
  "right-key": { login: "jo", admin: true },
  "second-right-key": { login: "kim", admin: true },
  "key-of-a-member": { login: "lee", admin: false },
};

const refusals: Readonly<Record<string, number>> = {
  "key-without-rights": 403,
  "key-while-broken": 502,
  "key-while-busy": 429,
  "key-while-moved": 404,
};

/** The part of Redmine that a connect calls: the owner of the key. The key selects the behavior. */
export interface RedmineDoor {
  readonly url: string;
  /** In the format of OUTBOUND_ALLOW. */
  readonly host: string;
  /** The key of every request that arrived. */
  readonly keys: string[];
  /** Makes it refuse all keys, or accept them again. */
  refuseAll(refuse: boolean): void;
  close(): void;
}

export const openRedmineDoor = async (): Promise<RedmineDoor> => {
  const keys: string[] = [];
  let refusing = false;
  const answer = (headers: IncomingHttpHeaders, response: ServerResponse) => {
    const key = String(headers["x-redmine-api-key"]);
    keys.push(key);
    if (key === "key-while-silent") return;
    if (key === "key-of-a-shop") return void response.end("<h1>Welcome to our shop</h1>");
    const person = people[key];
    if (refusing || !person) return void response.writeHead(refusals[key] ?? 401).end();
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        user: { id: 1, ...person, firstname: "Jo", lastname: "Smith", mail: "jo@acme.example" },
      }),
    );
  };
  const server = createServer(({ headers }, response) => answer(headers, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    host,
    keys,
    url: `http://${host}`,
    refuseAll: (refuse) => {
      refusing = refuse;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

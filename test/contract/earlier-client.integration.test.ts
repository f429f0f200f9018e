import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";
import { bothBases, sandbox, useApi } from "./api.ts";

const api = useApi();

/** A client as partners have it: curl, only the fields that the interface names, none of our additions. */
const curl = (...args: string[]): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    execFile("curl", ["-s", "-w", "\n%{http_code}", ...args], (error, output) => {
      if (error) return reject(error);
      const split = output.lastIndexOf("\n");
      resolve({ status: Number(output.slice(split + 1)), body: output.slice(0, split) });
    });
  });

describe.each(bothBases)("a client written before our additions, against $base", ({ base }) => {
  test("lists tools, creates, lists, shows, accepts, rejects", async () => {
    const { token } = await api.partner();
    const url = `${api.origin}${base}`;
    const run = (...args: string[]) => curl("-u", `${token}:X`, ...args);
    const tools = await run(`${url}/tools`);
    expect(tools.status).toBe(200);
    const tool = (JSON.parse(tools.body) as { name: string; slug: string }[]).find(
      ({ slug }) => slug === "request-tracker",
    );

    const made = await run(
      "-H",
      "Content-Type: application/json",
      `${url}/imports`,
      "-d",
      JSON.stringify({
        source_tool: tool?.name,
        destination_instance_url: "https://desk.acme.example",
        destination_username: "jo@acme.example",
      }),
    );
    expect(made.status).toBe(201);
    const { id, redirect_url } = JSON.parse(made.body) as { id: string; redirect_url: string };
    expect(URL.canParse(redirect_url)).toBe(true);

    const list = await run(`${url}/imports?destination_username=jo@acme.example`);
    expect(list.status).toBe(200);
    expect((JSON.parse(list.body) as { id: string }[]).map((entry) => entry.id)).toContain(
      base === sandbox ? "sample_completed" : id,
    );

    const shown = await run(`${url}/imports/${id}`);
    expect(shown.status).toBe(200);
    expect(JSON.parse(shown.body)).toMatchObject({
      id,
      status: "Collecting credentials",
      family: "helpdesk",
    });

    for (const decision of ["accept", "reject"])
      expect(
        await run(
          "-X",
          "POST",
          "-H",
          "Content-Type: application/json",
          `${url}/imports/${id}/payment/${decision}`,
        ),
      ).toEqual({
        status: 200,
        body: "",
      });
    expect((await run("-X", "POST", `${url}/imports/nothing/payment/accept`)).status).toBe(404);
    const refused = await run("-H", "Content-Type: application/json", `${url}/imports`, "-d", "{}");
    expect(refused.status).toBe(422);
    expect((JSON.parse(refused.body) as Record<string, string[]>).source_tool).toEqual(["can't be blank"]);
  });
});

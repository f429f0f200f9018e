import type { Http, HttpRequest } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { refuseWrites, WriteRefused } from "./reads-only.ts";

const given = () => {
  const sent: HttpRequest[] = [];
  const take = async (request: HttpRequest) => {
    sent.push(request);
    return {} as never;
  };
  const inner: Http = { send: take, download: take };
  return { sent, http: refuseWrites(inner, "Acme Desk") };
};

test("reads are sent: GET, HEAD, and a POST that is declared a search", async () => {
  const { sent, http } = given();
  await http.send({ url: "tickets" });
  await http.send({ url: "tickets", method: "HEAD" });
  await http.send({ url: "search", method: "POST", json: {}, reads: true });
  await http.download({ url: "file" });
  expect(sent).toHaveLength(4);
});

test("a request that could change the tool is never sent, whatever it declares", async () => {
  const { sent, http } = given();
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
    await expect(http.send({ url: "x", method })).rejects.toThrow(WriteRefused);
    await expect(http.download({ url: "x", method })).rejects.toThrow(WriteRefused);
    await expect(http.send({ url: "x", method, idempotent: true })).rejects.toThrow(WriteRefused);
    if (method !== "POST")
      await expect(http.send({ url: "x", method, reads: true })).rejects.toThrow(WriteRefused);
  }
  expect(sent).toEqual([]);
});

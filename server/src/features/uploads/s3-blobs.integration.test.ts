import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Secret } from "../../platform/secret.ts";
import { createS3Blobs } from "./s3-blobs.ts";

test("a service that accepts connections and says nothing is an error, not an endless wait", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const blobs = createS3Blobs(
    {
      url: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      bucket: "uploads",
      prefix: "",
      accessKeyId: "id",
      secretKey: new Secret("key"),
    },
    100,
  );
  onTestFinished(() => {
    blobs.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await expect(blobs.put("upl_1", "0", Buffer.from("sealed"))).rejects.toThrow(/timeout|timed out/i);
  await expect(blobs.get("upl_1", "0")).rejects.toThrow(/timeout|timed out/i);
  await expect(blobs.deleteSome("upl_1")).rejects.toThrow(/timeout|timed out/i);
});

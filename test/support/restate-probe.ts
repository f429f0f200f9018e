import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** The part of a worker that Restate needs to register it: its discovery answer. */
export const probeManifest = (_: Http2ServerRequest, response: Http2ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/vnd.restate.endpointmanifest.v1+json" });
  response.end(
    JSON.stringify({
      protocolMode: "BIDI_STREAM",
      minProtocolVersion: 5,
      maxProtocolVersion: 5,
      services: [{ name: "probe", ty: "SERVICE", handlers: [{ name: "run" }] }],
    }),
  );
};

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { findLeaks } from "../support/leaked-secrets.ts";

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly service: string;
  readonly kind: number;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

/** A collector that takes OTLP as JSON over HTTP. */
export interface OtlpReceiver {
  readonly url: string;
  spans(): readonly ReceivedSpan[];
  /** Everything that arrived, as text. */
  text(): string;
  close(): void;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly {
        readonly key: string;
        readonly value: { readonly stringValue?: string };
      }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, "service">[] }[];
  }[];
}

export const startOtlpReceiver = async (): Promise<OtlpReceiver> => {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/v1/traces") texts.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      texts.flatMap((text) =>
        (JSON.parse(text) as Sent).resourceSpans.flatMap(({ resource, scopeSpans }) => {
          const name = resource.attributes.find(({ key }) => key === "service.name");
          return scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({ ...span, service: name?.value.stringValue ?? "" })),
          );
        }),
      ),
    text: () => texts.join("\n"),
    close: () => {
      const leaks = findLeaks(texts.join("\n"));
      if (leaks.length > 0) throw new Error(`Traces show secrets: ${leaks.join(", ")}`);
      server.close();
      server.closeAllConnections();
    },
  };
};

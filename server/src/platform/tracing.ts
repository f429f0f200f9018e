import { type Attributes, context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

/**
 * Spans of the work that a request causes, across processes. Without an exporter (main/start-tracing.ts) they cost next to
 * nothing and say nothing. Attributes are ids, names and counts: never an address, a header or a text of a customer.
 */
const tracer = () => trace.getTracer("portage");

/** A W3C traceparent of version 0. */
const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export const codeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "error";
};

/** What the work learns while its span is open. */
export interface OpenSpan {
  note(attributes: Attributes): void;
  /** Only a code: a message may quote what a tool or a customer wrote. */
  fail(code: string): void;
}

/** Runs the work within a span that begins and ends with it. */
export const inSpan = <R>(
  name: string,
  attributes: Attributes,
  work: (span: OpenSpan) => Promise<R>,
  kind: SpanKind = SpanKind.INTERNAL,
): Promise<R> =>
  tracer().startActiveSpan(name, { attributes, kind }, async (span) => {
    const fail = (code: string) => void span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    try {
      return await work({ note: (learned) => void span.setAttributes(learned), fail });
    } catch (error) {
      fail(codeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });

/** For an answer over HTTP. */
export const statusAttribute = (status: number): Attributes => ({ "http.response.status_code": status });

export const spanKind = SpanKind;

/** The active span as a W3C traceparent, to store or to send with work for another process; null: none is. */
export const currentTrace = (): string | null => {
  const span = trace.getSpanContext(context.active());
  return span ? `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, "0")}` : null;
};

/** Runs the work as a part of the trace that another process began; of none, if the text is no traceparent. */
export const withTrace = <R>(traceparent: string | null | undefined, work: () => R): R => {
  const [, traceId, spanId, flags] = form.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return work();
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return context.with(trace.setSpanContext(context.active(), parent), work);
};

/** For lines of the log. */
export const traceFields = (): { readonly trace_id?: string } => {
  const span = trace.getSpanContext(context.active());
  return span ? { trace_id: span.traceId } : {};
};

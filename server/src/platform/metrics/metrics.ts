import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import {
  catalogue,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  type MetricDefinition,
  type MetricName,
} from "./catalogue.ts";

interface Sample<N extends GaugeName> {
  readonly labels: LabelsOf<N>;
  readonly value: number;
}

/** The metrics of one process. */
export interface Metrics {
  count<N extends CounterName>(name: N, labels: LabelsOf<N>, by?: number): void;
  observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, seconds: number): void;
  /** Replaces all values of a gauge: what is not among them is gone. */
  set<N extends GaugeName>(name: N, samples: readonly Sample<N>[]): void;
  /** A gauge without labels that is read when Prometheus asks. */
  read(name: GaugeName, value: () => number): void;
  /** Everything, as Prometheus reads it. */
  text(): Promise<{ readonly type: string; readonly body: string }>;
}

/** For a process without metrics. */
export const noMetrics: Metrics = {
  count: () => {},
  observe: () => {},
  set: () => {},
  read: () => {},
  text: async () => ({ type: "text/plain", body: "" }),
};

/** Codes and names may come from further connectors: beyond this many values per label, the rest share one. */
const maxValues = 100;
export const otherValues = "other";

const createBounds = () => {
  const seen = new Map<string, Set<string>>();
  return <L extends Readonly<Record<string, string>>>(name: string, labels: L): L => {
    const within: Record<string, string> = {};
    for (const [label, value] of Object.entries(labels)) {
      const key = `${name} ${label}`;
      const known = seen.get(key) ?? new Set();
      seen.set(key, known);
      if (known.size < maxValues) known.add(value);
      within[label] = known.has(value) ? value : otherValues;
    }
    return within as L;
  };
};

/** A route has many statuses, and there are many routes: their number is bounded by the code. */
const unbounded: ReadonlySet<MetricName> = new Set([
  "portage_http_request_duration_seconds",
  "portage_rate_limited_total",
]);

/** A gauge without labels begins at 0, and is 0 after a reset, which would be a statement. */
const clear = (gauge: Gauge, { labels }: MetricDefinition) => {
  gauge.reset();
  if (labels.length === 0) gauge.remove();
};

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const reads = new Map<string, () => number>();
  for (const [name, definition] of Object.entries<MetricDefinition>(catalogue)) {
    const { kind, help, buckets } = definition;
    const options = { name, help, labelNames: [...definition.labels], registers: [registry] };
    if (kind === "counter") counters.set(name, new Counter(options));
    if (kind === "histogram")
      histograms.set(name, new Histogram({ ...options, ...(buckets && { buckets: [...buckets] }) }));
    if (kind === "gauge") {
      const gauge: Gauge = new Gauge({
        ...options,
        collect: () => {
          const read = reads.get(name);
          if (read) gauge.set(read());
        },
      });
      gauges.set(name, gauge);
      clear(gauge, definition);
    }
  }
  const bound = createBounds();
  const within = <N extends MetricName>(name: N, labels: LabelsOf<N>) =>
    unbounded.has(name) ? labels : bound(name, labels);
  return {
    count: (name, labels, by = 1) => counters.get(name)?.inc(within(name, labels), by),
    observe: (name, labels, seconds) => histograms.get(name)?.observe(within(name, labels), seconds),
    set: (name, samples) => {
      const gauge = gauges.get(name);
      if (!gauge) return;
      clear(gauge, catalogue[name]);
      // Added up: several values may share the label of all others.
      for (const { labels, value } of samples) gauge.inc(within(name, labels), value);
    },
    read: (name, value) => void reads.set(name, value),
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
};

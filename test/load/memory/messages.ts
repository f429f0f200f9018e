export interface ToolOptions {
  readonly records: number;
  readonly files: number;
  readonly fileSize: number;
}

export interface ToolReady {
  readonly url: string;
  readonly token: string;
}

/** What the tool received. */
export interface ToolReceived {
  readonly requests: number;
  /** Files that arrived complete. */
  readonly files: number;
  readonly identical: boolean;
}

/** An injected defect that must make the proof fail: the reader keeps every page, or every chunk of a file. */
export type Plant = "hold-pages" | "hold-files";

export interface ReaderOptions extends ToolReady {
  readonly job: "records" | "files";
  readonly count: number;
  /** Concurrent requests to the source, and as many to the destination. */
  readonly concurrency: number;
  /** Records to read before the measurement, and in each of the two compared blocks. */
  readonly warmUp: number;
  readonly block: number;
  readonly plant: Plant | null;
}

/** Resident: as the kernel counts. Used: heap and buffers after a garbage collection. */
export interface ReaderIdle {
  readonly residentBytes: number;
  readonly usedBytes: number;
}

export interface Outcome {
  readonly count: number;
  /** Each record once and in order; each file written. */
  readonly complete: boolean;
  /** CPU time per record in the first and in the last block. */
  readonly firstMicros: number;
  readonly lastMicros: number;
}

export interface ReaderDone extends Outcome {
  readonly peakBytes: number;
  readonly usedBytes: number;
}

export interface ToolOptions {
  readonly records: number;
  readonly files: number;
  readonly fileSize: number;
}

export interface ToolReady {
  readonly url: string;
  readonly token: string;
}

/** What arrived at the tool. */
export interface ToolReceived {
  readonly requests: number;
  /** Files that arrived in their full size. */
  readonly files: number;
  readonly identical: boolean;
}

/** A defect that is planted to see the proof fail: every page, or every piece of a file, is kept. */
export type Plant = "hold-pages" | "hold-files";

export interface ReaderOptions extends ToolReady {
  readonly job: "records" | "files";
  readonly count: number;
  /** Requests to the source, and as many to the destination. */
  readonly atOnce: number;
  /** Records that are read before time is taken, and in each of the two blocks that are compared. */
  readonly warmUp: number;
  readonly block: number;
  readonly plant: Plant | null;
}

/** Resident: what the kernel counts. Used: what is left on the heap and in buffers after a collection. */
export interface ReaderIdle {
  readonly residentBytes: number;
  readonly usedBytes: number;
}

export interface Outcome {
  readonly count: number;
  /** Each record once and in order; each file taken. */
  readonly complete: boolean;
  /** CPU time per record in the first and in the last block. */
  readonly firstMicros: number;
  readonly lastMicros: number;
}

export interface ReaderDone extends Outcome {
  readonly peakBytes: number;
  readonly usedBytes: number;
}

/** One copy of one stream from the stand-in into itself: the parameters of both sides. */
export interface CopyOrder {
  readonly url: string;
  readonly token: string;
  readonly stream: string;
  readonly partitions: number;
  readonly pageSize: number;
  readonly batchSize: number;
  /** How many batches of a page are written concurrently. */
  readonly writeConcurrency: number;
  /** Through the connector and the kit's client, as the engine does, or with HTTP and JSON alone. */
  readonly by: "kit" | "raw";
}

export interface Copied {
  readonly records: number;
}

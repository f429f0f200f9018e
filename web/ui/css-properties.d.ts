import "react";

declare module "react" {
  interface CSSProperties {
    /** The fill of a progress bar. */
    "--v"?: string;
  }
}

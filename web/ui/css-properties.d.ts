import "react";

declare module "react" {
  interface CSSProperties {
    /** How full a bar is. */
    "--v"?: string;
  }
}

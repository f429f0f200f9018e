import "react";

declare module "react" {
  interface CSSProperties {
    "--bp-brand"?: string;
    "--bp-on-brand"?: string;
  }
}

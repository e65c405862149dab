import "react";

declare module "react" {
  interface CSSProperties {
    /** Hue of a drawn portrait, in degrees. */
    "--hue"?: number;
  }
}

import { isImageDataUrl, toOwnFilePath, toRemoteHost } from "./image-url.ts";
import { RemoteImage } from "./remote-image.tsx";
import { ZoomableImage } from "./zoomable-image.tsx";

interface MarkdownImageProps {
  readonly address: string;
  /** Alternative text. */
  readonly name: string;
}

/** An image in a message; one from another server is fetched only on request. */
export function MarkdownImage({ address, name }: MarkdownImageProps) {
  const own = isImageDataUrl(address) ? address : toOwnFilePath(address, location.origin);
  if (own !== undefined) return <ZoomableImage url={own} name={name} />;
  const host = toRemoteHost(address, location.origin);
  return host === undefined ? <span>{name || address}</span> : <RemoteImage {...{ address, host, name }} />;
}

import { isImageDataUrl, toOwnFilePath, toRemoteHost } from "./image-url.ts";
import { RemoteImage } from "./remote-image.tsx";
import { ZoomableImage } from "./zoomable-image.tsx";

interface MarkdownImageProps {
  readonly address: string;
  /** Alternative text. */
  readonly name: string;
}

/** An image in a message; an image on another server is fetched only on request. */
export function MarkdownImage({ address, name }: MarkdownImageProps) {
  const ownUrl = isImageDataUrl(address) ? address : toOwnFilePath(address, location.origin);
  if (ownUrl !== undefined) return <ZoomableImage url={ownUrl} name={name} />;
  const host = toRemoteHost(address, location.origin);
  return host === undefined ? <span>{name || address}</span> : <RemoteImage {...{ address, host, name }} />;
}

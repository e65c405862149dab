import type { Attachment } from "@parley/core";
import { Icon } from "./icon.tsx";

/** A file of a message: pictures, sounds and films are shown, others are links. */
export function Attached({ attachment }: { readonly attachment: Attachment }) {
  const { type, url, name = url, size } = attachment;
  if (type === "image" || type === "sticker") return <img className="attached" src={url} alt={name} loading="lazy" />;
  // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
  if (type === "audio") return <audio className="attached" src={url} controls preload="none" title={name} />;
  // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
  if (type === "video") return <video className="attached" src={url} controls preload="metadata" title={name} />;
  return (
    <a className="attached-file" href={url} target="_blank" rel="noreferrer noopener">
      <Icon name="file" size={16} />
      <span className="one-line">{name}</span>
      {size !== undefined && <span className="meta">{sizeOf(size)}</span>}
    </a>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KB"] : [bytes / 1024 / 1024, "MB"];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

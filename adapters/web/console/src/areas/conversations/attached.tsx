import type { Attachment } from "@parley/core";
import textCss from "../../shared/styles/text.module.css";
import { Icon } from "../../shared/ui/icon.tsx";
import messageCss from "./message.module.css";
import { Picture } from "./picture.tsx";
import { otherHostOf } from "./picture-address.ts";
import { ShownPicture } from "./shown-picture.tsx";
import { isReadAsText, useReading } from "./text-files.ts";
import { useTexts } from "./texts.ts";

interface AttachedProps {
  readonly attachment: Attachment;
  /** The AI is shown what people attach; of most files only the name. */
  readonly isForModel?: boolean;
}

/** A file of a message: pictures, sounds and films are shown, others are links. */
export function Attached({ attachment, isForModel = true }: AttachedProps) {
  const { type, url, name = url, size } = attachment;
  if (type === "image" && otherHostOf(url, location.origin) !== undefined) return <Picture address={url} name={name} />;
  if (type === "image" || type === "sticker") return <ShownPicture url={url} name={name} />;
  if (type === "audio") return <Sound attachment={attachment} />;
  if (type === "video")
    // biome-ignore lint/a11y/useMediaCaption: what people send has no captions
    return <video className={messageCss.attached} src={url} controls preload="metadata" title={name} />;
  return (
    <a className={messageCss.attachedFile} href={url} target="_blank" rel="noreferrer noopener">
      <Icon name="file" size={16} />
      <span className={textCss.oneLine}>{name}</span>
      {size !== undefined && <span className={textCss.meta}>{sizeOf(size)}</span>}
      {isForModel && <Reading attachment={attachment} />}
    </a>
  );
}

/** What people said, and whether its words are in the text. */
function Sound({ attachment: { url, name = url, meta } }: { readonly attachment: Attachment }) {
  const { t } = useTexts();
  const note = meta?.transcript === undefined ? "" : t(meta.transcript ? "transcriptAbove" : "notTranscribed");
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: its words are in the text */}
      <audio className={messageCss.attached} src={url} controls preload="none" title={name} />
      {note !== "" && (
        <div className={textCss.meta} data-testid="transcript-note">
          {note}
        </div>
      )}
    </>
  );
}

/** How much of a file the AI sees, where that is not all of it. */
export function Reading({ attachment }: { readonly attachment: Attachment }) {
  const { t } = useTexts();
  const readingOf = useReading();
  const { type, mime_type } = attachment;
  if (type === "image" || type === "sticker") return null;
  const reading = type === "file" ? readingOf(attachment) : "name";
  if (reading === "whole") return null;
  const isCut = reading === "beginning" && isReadAsText(mime_type);
  const [text, hint] =
    reading === "name"
      ? ([t("nameOnly"), t("nameOnlyHint")] as const)
      : ([t(isCut ? "beginningOnly" : "wordsRead"), t(isCut ? "beginningOnlyHint" : "wordsReadHint")] as const);
  return (
    <span className={`${textCss.meta} ${messageCss.reading}`} title={hint} data-testid="reading">
      {text}
    </span>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KB"] : [bytes / 1024 / 1024, "MB"];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

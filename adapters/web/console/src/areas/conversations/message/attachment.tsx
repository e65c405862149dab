import type { Attachment } from "@parley/core";
import textCss from "../../../shared/styles/text.module.css";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { formatSize } from "../../../shared/ui/text/format-size.ts";
import { isReadAsText, useReadingExtent } from "../composer/readable-files.ts";
import { MarkdownImage } from "../markdown/image.tsx";
import { toRemoteHost } from "../markdown/image-url.ts";
import { ZoomableImage } from "../markdown/zoomable-image.tsx";
import { useTexts } from "../texts.ts";
import messageCss from "./message.module.css";

interface AttachmentViewProps {
  readonly attachment: Attachment;
  /** True for files of a user; they show how much of them the AI reads. */
  readonly isForModel?: boolean;
}

/** A file of a message: pictures, audio and video are shown, other files are links. */
export function AttachmentView({ attachment, isForModel = true }: AttachmentViewProps) {
  const { type, url, name = url, size } = attachment;
  if (type === "image" && toRemoteHost(url, location.origin) !== undefined)
    return <MarkdownImage address={url} name={name} />;
  if (type === "image" || type === "sticker") return <ZoomableImage url={url} name={name} />;
  if (type === "audio") return <AudioAttachment attachment={attachment} />;
  if (type === "video")
    // biome-ignore lint/a11y/useMediaCaption: videos that people send have no captions
    return <video className={messageCss.attached} src={url} controls preload="metadata" title={name} />;
  return (
    <a className={messageCss.attachedFile} href={url} target="_blank" rel="noreferrer noopener">
      <Icon name="file" size={16} />
      <span className={textCss.oneLine}>{name}</span>
      {size !== undefined && <span className={textCss.meta}>{formatSize(size)}</span>}
      {isForModel && <ReadingNote attachment={attachment} />}
    </a>
  );
}

/** An audio message with a note about its transcript. */
function AudioAttachment({ attachment: { url, name = url, meta } }: { readonly attachment: Attachment }) {
  const { t } = useTexts();
  const note = meta?.transcript === undefined ? "" : t(meta.transcript ? "transcriptAbove" : "notTranscribed");
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: its transcript is the text of the message */}
      <audio className={messageCss.attached} src={url} controls preload="none" title={name} />
      {note !== "" && (
        <div className={textCss.meta} data-testid="transcript-note">
          {note}
        </div>
      )}
    </>
  );
}

/** A note about how much of a file the AI reads; renders nothing when it reads all. */
export function ReadingNote({ attachment }: { readonly attachment: Attachment }) {
  const { t } = useTexts();
  const getExtent = useReadingExtent();
  const { type, mime_type } = attachment;
  if (type === "image" || type === "sticker") return null;
  const extent = type === "file" ? getExtent(attachment) : "name";
  if (extent === "whole") return null;
  const isCut = extent === "beginning" && isReadAsText(mime_type);
  const [text, hint] =
    extent === "name"
      ? ([t("nameOnly"), t("nameOnlyHint")] as const)
      : ([t(isCut ? "beginningOnly" : "textRead"), t(isCut ? "beginningOnlyHint" : "textReadHint")] as const);
  return (
    <span className={`${textCss.meta} ${messageCss.reading}`} title={hint} data-testid="reading">
      {text}
    </span>
  );
}

import { Alert, Progress, Text } from "@mantine/core";
import textCss from "../../../shared/styles/text.module.css";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { ReadingNote } from "../message/attachment.tsx";
import { useTexts } from "../texts.ts";
import composerCss from "./composer.module.css";
import { useReadingExtent } from "./readable-files.ts";
import type { Attachments, PickedFile } from "./use-attachments.ts";

/** The attached files of the draft, and the files that could not be attached with the reasons. */
export function AttachmentList({ files }: { readonly files: Attachments }) {
  const { t } = useTexts();
  const { attachedFiles, rejected, remove, dismissRejected } = files;
  const getExtent = useReadingExtent();
  return (
    <>
      {rejected.length > 0 && (
        <Alert
          color="red"
          py="xs"
          mb="xs"
          role="alert"
          withCloseButton
          onClose={dismissRejected}
          closeButtonLabel={t("close")}
          data-testid="rejected-files"
        >
          {rejected.map(({ name, reason }, index) => (
            <Text key={index} size="sm" style={{ overflowWrap: "anywhere" }}>
              {name}: {reason}
            </Text>
          ))}
        </Alert>
      )}
      {attachedFiles.length > 0 && (
        <ul className={composerCss.picked} aria-label={t("attachments")}>
          {attachedFiles.map((one) => (
            <AttachmentItem key={one.key} file={one} remove={() => remove(one.key)} />
          ))}
        </ul>
      )}
      {attachedFiles.some(({ attachment }) => attachment?.type === "file" && getExtent(attachment) === "name") && (
        <Text size="xs" c="dimmed" mb="xs" role="status" data-testid="name-only">
          {t("nameOnlyHint")}
        </Text>
      )}
    </>
  );
}

function AttachmentItem({ file, remove }: { readonly file: PickedFile; readonly remove: () => void }) {
  const { t } = useTexts();
  const { name, progress: share, attachment } = file;
  return (
    <li data-testid="picked-file" data-state={attachment ? "ready" : "uploading"}>
      {attachment?.type === "image" ? <img src={attachment.url} alt="" /> : <Icon name="file" size={16} />}
      <span className={textCss.oneLine} title={name}>
        {name}
      </span>
      {attachment && <ReadingNote attachment={attachment} />}
      {!attachment && (
        <Progress
          value={share * 100}
          size="xs"
          w="3.5rem"
          aria-label={`${t("uploading")}: ${name}`}
          transitionDuration={0}
        />
      )}
      <IconButton icon="close" size="sm" label={`${t("removeFile")}: ${name}`} onClick={remove} testId="remove-file" />
    </li>
  );
}

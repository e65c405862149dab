import { Alert, Progress, Text } from "@mantine/core";
import textCss from "../../shared/styles/text.module.css";
import { Icon } from "../../shared/ui/icon.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { Reading } from "./attached.tsx";
import composerCss from "./composer.module.css";
import { useReading } from "./text-files.ts";
import { useTexts } from "./texts.ts";
import type { Attachments, Picked } from "./use-attachments.ts";

/** The files that go with the next message, and those that do not. */
export function PickedFiles({ files }: { readonly files: Attachments }) {
  const { t } = useTexts();
  const { picked, leftOut, remove, forgetLeftOut } = files;
  const readingOf = useReading();
  return (
    <>
      {leftOut.length > 0 && (
        <Alert
          color="red"
          py="xs"
          mb="xs"
          role="alert"
          withCloseButton
          onClose={forgetLeftOut}
          closeButtonLabel={t("close")}
          data-testid="left-out"
        >
          {leftOut.map(({ name, reason }, index) => (
            <Text key={index} size="sm" style={{ overflowWrap: "anywhere" }}>
              {name}: {reason}
            </Text>
          ))}
        </Alert>
      )}
      {picked.length > 0 && (
        <ul className={composerCss.picked} aria-label={t("attachments")}>
          {picked.map((one) => (
            <PickedFile key={one.key} picked={one} remove={() => remove(one.key)} />
          ))}
        </ul>
      )}
      {picked.some(({ attachment }) => attachment?.type === "file" && readingOf(attachment) === "name") && (
        <Text size="xs" c="dimmed" mb="xs" role="status" data-testid="name-only">
          {t("nameOnlyHint")}
        </Text>
      )}
    </>
  );
}

function PickedFile({ picked, remove }: { readonly picked: Picked; readonly remove: () => void }) {
  const { t } = useTexts();
  const { name, share, attachment } = picked;
  return (
    <li data-testid="picked-file" data-state={attachment ? "ready" : "uploading"}>
      {attachment?.type === "image" ? <img src={attachment.url} alt="" /> : <Icon name="file" size={16} />}
      <span className={textCss.oneLine} title={name}>
        {name}
      </span>
      {attachment && <Reading attachment={attachment} />}
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

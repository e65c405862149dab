import { Box, Button, Group, Input, Progress, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { upload } from "../api/upload.ts";
import { formatError } from "../ui/common.tsx";
import { FileButton } from "../ui/form/file-button.tsx";
import { toSentenceCase } from "../ui/text/to-sentence-case.ts";
import fileFieldCss from "./file-field.module.css";
import { FilePicker } from "./file-picker.tsx";
import { useTexts } from "./texts.ts";

const IMAGE_TYPES = "image/png,image/jpeg,image/gif,image/webp";

interface FileFieldProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: React.ReactNode;
  readonly required: boolean;
  readonly "data-field": string;
  readonly isPicture: boolean;
  /** The URL of the file; "" for none. */
  readonly value: string;
  readonly onChange: (url: string) => void;
}

/** A field for the URL of a file or image: dropped, uploaded, selected from stored files, or typed. */
export function FileField({
  label,
  description,
  error,
  required,
  isPicture,
  value,
  onChange,
  ...field
}: FileFieldProps) {
  const { t } = useTexts();
  const [isChoosing, setChoosing] = useState(false);
  const [isOver, setOver] = useState(false);
  const { progress, uploadError, startUpload } = useUpload(isPicture, onChange);
  const handleDrop = (event: React.DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) startUpload(file);
  };
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={uploadError ?? error}
      required={required}
      labelElement="div"
      {...field}
    >
      <Box
        className={fileFieldCss.fileField}
        data-over={isOver || undefined}
        data-testid="file-field"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
      >
        {isPicture && value !== "" && <Thumbnail url={value} name={label} />}
        <TextInput
          aria-label={label}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          placeholder={t("dropHere")}
          style={{ flex: "1 1 12rem" }}
        />
        <Group gap={4}>
          <FileButton onChange={(file) => file && startUpload(file)} {...(isPicture && { accept: IMAGE_TYPES })}>
            {(props) => (
              <Button size="compact-sm" variant="default" loading={progress !== undefined} {...props}>
                {t("uploadOne")}
              </Button>
            )}
          </FileButton>
          <Button size="compact-sm" variant="default" onClick={() => setChoosing(true)}>
            {t("chooseUploaded")}
          </Button>
          {value !== "" && (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange("")}>
              {t("clear")}
            </Button>
          )}
        </Group>
        {progress && (
          <Progress
            w="100%"
            size="sm"
            value={progress.share * 100}
            aria-label={t("uploadingOne", { name: progress.name })}
          />
        )}
      </Box>
      {isChoosing && (
        <FilePicker
          isPicture={isPicture}
          close={() => setChoosing(false)}
          choose={(url) => {
            onChange(url);
            setChoosing(false);
          }}
        />
      )}
    </Input.Wrapper>
  );
}

/** The picture at a URL; nothing if it fails to load. */
function Thumbnail({ url, name }: { readonly url: string; readonly name: string }) {
  const [broken, setBroken] = useState("");
  if (broken === url) return null;
  return (
    <img
      className={fileFieldCss.thumbnail}
      src={url}
      alt={name}
      onError={() => setBroken(url)}
      data-testid="thumbnail"
    />
  );
}

interface UploadProgress {
  readonly name: string;
  /** Upload progress, 0 to 1. */
  readonly share: number;
}

function useUpload(isPicture: boolean, onUploaded: (url: string) => void) {
  const { t } = useTexts();
  const [progress, setProgress] = useState<UploadProgress>();
  const [uploadError, setUploadError] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const startUpload = async (file: File) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setUploadError(undefined);
    setProgress({ name: file.name, share: 0 });
    try {
      const reportProgress = (share: number) => setProgress({ name: file.name, share });
      const { url, mime_type } = await upload(file, { signal: controller.signal, onProgress: reportProgress });
      if (isPicture && !mime_type.startsWith("image/")) setUploadError(t("notAPicture"));
      else onUploaded(url);
    } catch (error) {
      if (!controller.signal.aborted) setUploadError(toSentenceCase(formatError(error, t)));
    } finally {
      if (running.current === controller) setProgress(undefined);
    }
  };
  return { progress, uploadError, startUpload: (file: File) => void startUpload(file) };
}

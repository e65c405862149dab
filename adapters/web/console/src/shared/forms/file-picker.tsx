import { Modal, SimpleGrid, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { parley } from "../api/client.ts";
import textCss from "../styles/text.module.css";
import { Loaded } from "../ui/common.tsx";
import { Icon } from "../ui/element/icon.tsx";
import { RestoreFocus } from "../ui/page/restore-focus.tsx";
import { LoadMore } from "../ui/table/load-more.tsx";
import { usePagedList } from "../ui/table/use-paged-list.ts";
import filePickerCss from "./file-picker.module.css";
import { useTexts } from "./texts.ts";

const PAGE_SIZE = 24;

interface FilePickerProps {
  readonly isPicture: boolean;
  readonly choose: (url: string) => void;
  readonly close: () => void;
}

/** A dialog to select a stored file, uploaded or received with a message; newest first. */
export function FilePicker({ isPicture, choose, close }: FilePickerProps) {
  const { t } = useTexts();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 200);
  const params = { ...(isPicture && { kind: "image" as const }), ...(q !== "" && { q }) };
  const files = usePagedList({
    queryKey: ["file", params],
    read: (page, _cursor, signal) => parley.get("/api/files", { query: { ...params, ...page }, signal }),
    getId: ({ file_id }) => file_id,
    pageSize: PAGE_SIZE,
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t(isPicture ? "storedPictures" : "stored")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <RestoreFocus />
      <Stack gap="sm">
        <TextInput
          type="search"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          placeholder={t("searchHere")}
          aria-label={t("searchHere")}
          data-autofocus
        />
        <Loaded query={files}>
          {({ items }) => (
            <>
              {items.length === 0 && <Text c="dimmed">{t(q === "" ? "noneStored" : "noMatch")}</Text>}
              <SimpleGrid cols={{ base: 2, xs: 3, sm: 4 }} spacing="xs">
                {items.map(({ file_id, filename, url, mime_type }) => (
                  <UnstyledButton
                    key={file_id}
                    className={filePickerCss.fileChoice}
                    onClick={() => choose(url)}
                    title={filename}
                    data-testid="file-choice"
                  >
                    {mime_type.startsWith("image/") ? (
                      <img src={url} alt="" loading="lazy" />
                    ) : (
                      <Icon name="file" size={32} />
                    )}
                    <span className={textCss.oneLine}>{filename}</span>
                  </UnstyledButton>
                ))}
              </SimpleGrid>
              <LoadMore list={files} isEndless />
            </>
          )}
        </Loaded>
      </Stack>
    </Modal>
  );
}

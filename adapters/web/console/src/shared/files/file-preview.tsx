import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../ui/common.tsx";
import { Icon } from "../ui/element/icon.tsx";
import { type FileOwner, toFileUrl, type WorkspaceItem, workspace } from "./api.ts";
import fileManagerCss from "./file-manager.module.css";
import { useTexts } from "./texts.ts";

/** A preview of a file, as far as a browser can show it without running anything. */
export function FilePreview({
  owner,
  item: { path, name, etag },
}: {
  readonly owner: FileOwner;
  readonly item: WorkspaceItem;
}) {
  const { t } = useTexts();
  const url = toFileUrl(owner, path);
  const preview = useQuery({
    queryKey: ["workspace", "preview", owner, path, etag],
    queryFn: () => workspace.preview(owner, path),
  });
  return (
    <>
      <Loaded query={preview}>
        {({ type, content, truncated }) => {
          if (type === "image") return <img className={fileManagerCss.fileShown} src={url} alt={name} />;
          if (type === "audio")
            // biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions
            return <audio className={fileManagerCss.fileShown} src={url} controls preload="metadata" />;
          if (type === "video")
            // biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions
            return <video className={fileManagerCss.fileShown} src={url} controls preload="metadata" />;
          if (content === undefined) {
            return (
              <Text size="sm" c="dimmed">
                {t("noPreview")}
              </Text>
            );
          }
          return (
            <>
              <pre className={fileManagerCss.fileText} data-testid="file-text">
                {content}
              </pre>
              {truncated && (
                <Text size="xs" c="dimmed">
                  {t("truncated")}
                </Text>
              )}
            </>
          );
        }}
      </Loaded>
      <Button
        component="a"
        href={`${url}?download=true`}
        download
        variant="default"
        mt="md"
        leftSection={<Icon name="download" size={16} />}
      >
        {t("download")}
      </Button>
    </>
  );
}

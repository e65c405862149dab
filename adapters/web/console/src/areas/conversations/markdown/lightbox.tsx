import { Anchor, Group } from "@mantine/core";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import lightboxCss from "./lightbox.module.css";

interface LightboxProps {
  readonly url: string;
  readonly name: string;
  readonly close: () => void;
}

/** A picture over the page, as large as fits. */
export function Lightbox({ url, name, close }: LightboxProps) {
  const { t } = useTexts();
  return (
    <Dialog opened onClose={close} title={name} fullScreen className={lightboxCss.lightbox}>
      <img src={url} alt={name} data-testid="lightbox" />
      <Group justify="center" mt="xs">
        {/* Browsers open no page whose address is its content. */}
        {url.startsWith("data:") ? (
          <Anchor href={url} download={name || "picture"} size="sm">
            {t("downloadCode")}
          </Anchor>
        ) : (
          <Anchor href={url} target="_blank" rel="noreferrer noopener" size="sm">
            {t("openLink")}
          </Anchor>
        )}
      </Group>
    </Dialog>
  );
}

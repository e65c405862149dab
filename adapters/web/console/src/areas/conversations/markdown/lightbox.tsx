import { Anchor, Group } from "@mantine/core";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import lightboxCss from "./lightbox.module.css";

interface LightboxProps {
  readonly url: string;
  readonly name: string;
  readonly close: () => void;
}

/** A full-screen dialog with a picture. */
export function Lightbox({ url, name, close }: LightboxProps) {
  const { t } = useTexts();
  return (
    <Dialog opened onClose={close} title={name} fullScreen className={lightboxCss.lightbox}>
      <img src={url} alt={name} data-testid="lightbox" />
      <Group justify="center" mt="xs">
        {/* Browsers do not open a data URL as a page. */}
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

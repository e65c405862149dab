import { Button, Group, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { downloadFile } from "../../../shared/ui/download-file.ts";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import codeBlockCss from "./code-block.module.css";

/** The preview may not fetch, submit or frame anything; images and fonts must be inline. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";
/** Elements that could run code, connect or navigate; removed in case a browser ignores the other restrictions. */
const REMOVED_ELEMENTS = "script, link, meta, base, iframe, frame, frameset, object, embed, portal, fencedframe";

interface PagePreviewProps {
  readonly source: string;
  readonly isDrawing: boolean;
}

/** A preview of a page or drawing written by a model: in a frame without scripts, login or network. */
export function PagePreview({ source, isDrawing }: PagePreviewProps) {
  const { t } = useTexts();
  const [isEnlarged, setEnlarged] = useState(false);
  const page = useMemo(() => toSafeDocument(source), [source]);
  const frame = (
    <iframe
      className={codeBlockCss.previewFrame}
      title={t("preview")}
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={page}
      data-testid="preview-frame"
    />
  );
  return (
    <div className={codeBlockCss.pagePreview} data-testid="page-preview">
      {!isEnlarged && frame}
      <Group gap="xs" p={4}>
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => downloadPage(source, isDrawing)}
          data-testid="save-page"
        >
          {t("downloadCode")}
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={() => setEnlarged(true)} data-testid="enlarge-page">
          {t("enlarge")}
        </Button>
        <Text size="xs" c="dimmed">
          {t("previewHint")}
        </Text>
      </Group>
      <Dialog opened={isEnlarged} onClose={() => setEnlarged(false)} title={t("preview")} fullScreen>
        <div className={codeBlockCss.previewWhole}>{frame}</div>
      </Dialog>
    </div>
  );
}

/** Parses the page without running it, removes dangerous elements and prepends a content security policy. */
function toSafeDocument(source: string): string {
  const page = new DOMParser().parseFromString(source, "text/html");
  for (const one of page.querySelectorAll(REMOVED_ELEMENTS)) one.remove();
  const rules = [
    { "http-equiv": "content-security-policy", content: CONTENT_SECURITY_POLICY },
    { "http-equiv": "x-dns-prefetch-control", content: "off" },
    { name: "color-scheme", content: "light" },
  ];
  const metas = rules.map((rule) => {
    const meta = page.createElement("meta");
    for (const [name, value] of Object.entries(rule)) meta.setAttribute(name, value);
    return meta;
  });
  page.head.prepend(...metas);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

function downloadPage(source: string, isDrawing: boolean): void {
  // With this type, browsers save the file instead of opening it.
  downloadFile(new Blob([source], { type: "application/octet-stream" }), isDrawing ? "drawing.svg" : "page.html");
}

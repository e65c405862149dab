import { useMantineColorScheme } from "@mantine/core";
import mermaidUrl from "mermaid/dist/mermaid.min.js?url&no-inline";
import { useEffect, useRef, useState } from "react";
import textCss from "../../../shared/styles/text.module.css";
import { useTexts } from "../texts.ts";
import codeBlockCss from "./code-block.module.css";
import frameUrl from "./diagram-frame.js?url&no-inline";

/** Blocks external images in labels, because their servers would learn who reads the message. */
const CONTENT_SECURITY_POLICY = `default-src 'none'; script-src ${location.origin}; style-src 'unsafe-inline'; img-src data:; font-src data:`;

interface DiagramProps {
  readonly source: string;
}

const INITIAL_HEIGHT_PX = 120;
const MAX_HEIGHT_PX = 1_200;

interface FrameMessage {
  readonly height?: number;
  readonly error?: string;
}

/** A mermaid diagram, drawn in a sandboxed frame without login, origin or network access. */
export function Diagram({ source }: DiagramProps) {
  const { t } = useTexts();
  const { colorScheme } = useMantineColorScheme();
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(INITIAL_HEIGHT_PX);
  const [error, setError] = useState<string>();
  const isDark =
    colorScheme === "dark" || (colorScheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  const postSource = () => frame.current?.contentWindow?.postMessage({ source, isDark }, "*");
  useEffect(() => {
    setError(undefined);
    postSource();
  }, [source, isDark]);
  useEffect(() => {
    const onMessage = ({ source: sender, data }: MessageEvent<FrameMessage>) => {
      // The origin of every sandboxed frame is `null`, so the window is compared.
      if (sender === null || sender !== frame.current?.contentWindow) return;
      if (typeof data.height === "number") setHeight(Math.min(MAX_HEIGHT_PX, Math.max(40, data.height)));
      if (typeof data.error === "string") setError(data.error);
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, []);
  if (error !== undefined) {
    return (
      <div className={`${codeBlockCss.diagramError} ${textCss.meta}`} role="status">
        {t("noDiagram")}: {error.slice(0, 300)}
      </div>
    );
  }
  // Without a matching `color-scheme` a frame has a white background.
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${CONTENT_SECURITY_POLICY}"><meta name="color-scheme" content="dark light"><style>body{margin:0}</style><div id="drawing"></div><script src="${mermaidUrl}"></script><script src="${frameUrl}"></script>`;
  return (
    <iframe
      ref={frame}
      className={codeBlockCss.diagram}
      title={t("diagram")}
      sandbox="allow-scripts"
      srcDoc={page}
      style={{ height }}
      onLoad={postSource}
      data-testid="diagram"
    />
  );
}

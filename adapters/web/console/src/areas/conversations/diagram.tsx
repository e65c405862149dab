import { useMantineColorScheme } from "@mantine/core";
import mermaidUrl from "mermaid/dist/mermaid.min.js?url&no-inline";
import { useEffect, useRef, useState } from "react";
import textCss from "../../shared/styles/text.module.css";
import codeBlockCss from "./code-block.module.css";
import frameUrl from "./diagram-frame.js?url&no-inline";
import { useTexts } from "./texts.ts";

/** A label can hold pictures of other servers, which would learn who looks. */
const POLICY = `default-src 'none'; script-src ${location.origin}; style-src 'unsafe-inline'; img-src data:; font-src data:`;

interface DiagramProps {
  readonly source: string;
}

const FIRST_HEIGHT = 120;
const MOST_HEIGHT = 1_200;

/** What the frame tells. */
interface Told {
  readonly height?: number;
  readonly error?: string;
}

/** A drawing made of words, in a frame that has no login, no origin, and nothing to call. */
export function Diagram({ source }: DiagramProps) {
  const { t } = useTexts();
  const { colorScheme } = useMantineColorScheme();
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [error, setError] = useState<string>();
  const isDark =
    colorScheme === "dark" || (colorScheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  const tell = () => frame.current?.contentWindow?.postMessage({ source, isDark }, "*");
  useEffect(() => {
    setError(undefined);
    tell();
  }, [source, isDark]);
  useEffect(() => {
    const hear = ({ source: from, data }: MessageEvent<Told>) => {
      // Its origin is `null` like that of every sandboxed frame.
      if (from === null || from !== frame.current?.contentWindow) return;
      if (typeof data.height === "number") setHeight(Math.min(MOST_HEIGHT, Math.max(40, data.height)));
      if (typeof data.error === "string") setError(data.error);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, []);
  if (error !== undefined) {
    return (
      <div className={`${codeBlockCss.diagramError} ${textCss.meta}`} role="status">
        {t("noDiagram")}: {error.slice(0, 300)}
      </div>
    );
  }
  // In the colours of the page: a frame of others stands on white.
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${POLICY}"><meta name="color-scheme" content="dark light"><style>body{margin:0}</style><div id="drawing"></div><script src="${mermaidUrl}"></script><script src="${frameUrl}"></script>`;
  return (
    <iframe
      ref={frame}
      className={codeBlockCss.diagram}
      title={t("diagram")}
      sandbox="allow-scripts"
      srcDoc={page}
      style={{ height }}
      onLoad={tell}
      data-testid="diagram"
    />
  );
}

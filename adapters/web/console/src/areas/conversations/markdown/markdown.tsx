import { memo, useMemo } from "react";
import Markdown, { type Components, defaultUrlTransform, type Options } from "react-markdown";
import remarkBreaks from "remark-breaks";
import remarkGfm from "remark-gfm";
import textCss from "../../../shared/styles/text.module.css";
import { CodeBlock } from "./code-block.tsx";
import { MarkdownImage } from "./image.tsx";
import { isImageDataUrl } from "./image-url.ts";
import { createLazyModule } from "./lazy-module.ts";
import { limitMarkup } from "./limit-markup.ts";
import { hasMath, normalizeMath } from "./math-delimiters.ts";

// Raw HTML is shown as text; links open a new tab and only as http(s) or mail; remote images load only after a click.
const MARKDOWN_COMPONENTS: Components = {
  a: ({ href, children }) => <ExternalLink address={href}>{children}</ExternalLink>,
  img: ({ src, alt = "" }) => <MarkdownImage address={typeof src === "string" ? src : ""} name={alt} />,
  pre: ({ children, node }) => <CodeBlock node={node}>{children}</CodeBlock>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div className={textCss.wide} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked, type }) => (type === "checkbox" ? <span aria-hidden="true">{checked ? "☑ " : "☐ "}</span> : null),
};

// GitHub Markdown (tables, task lists, bare links), which models write often, and single line breaks.
const REMARK_PLUGINS: NonNullable<Options["remarkPlugins"]> = [remarkGfm, remarkBreaks];
const NO_PLUGINS: NonNullable<Options["rehypePlugins"]> = [];

const math = createLazyModule(() => import("./math-rendering.ts"));
const code = createLazyModule(() => import("./code-highlighting.ts"));

interface MarkdownProps {
  readonly text: string;
  /** True while more text arrives; code is highlighted afterwards. */
  readonly isStreaming?: boolean;
}

/** Renders Markdown without raw HTML, scripts or automatic requests to other servers. */
export const MarkdownText = memo(function MarkdownText({ text: markdown, isStreaming = false }: MarkdownProps) {
  const text = useMemo(() => limitMarkup(markdown), [markdown]);
  const mathPart = math.use(hasMath(text));
  const codePart = code.use(!isStreaming && /^ {0,3}(```|~~~)/m.test(text));
  const remark = useMemo(
    () => (mathPart ? [...REMARK_PLUGINS, ...mathPart.remarkPlugins] : REMARK_PLUGINS),
    [mathPart],
  );
  const rehype = useMemo(
    () => [...(codePart?.rehypePlugins ?? NO_PLUGINS), ...(mathPart?.rehypePlugins ?? NO_PLUGINS)],
    [codePart, mathPart],
  );
  return (
    <Markdown components={MARKDOWN_COMPONENTS} remarkPlugins={remark} rehypePlugins={rehype} urlTransform={sanitizeUrl}>
      {mathPart ? normalizeMath(text) : text}
    </Markdown>
  );
});

interface ExternalLinkProps {
  readonly address: unknown;
  readonly children: React.ReactNode;
}

/** A link that opens a new tab; plain text when the sanitizer emptied the address. */
function ExternalLink({ address, children }: ExternalLinkProps) {
  if (typeof address !== "string" || address === "") return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** Allows image data URLs besides the URLs Markdown allows. */
function sanitizeUrl(address: string, key: string): string {
  return key === "src" && isImageDataUrl(address) ? address : defaultUrlTransform(address);
}

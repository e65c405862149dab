import { memo, useMemo } from "react";
import Markdown, { type Components, defaultUrlTransform, type Options } from "react-markdown";
import remarkBreaks from "remark-breaks";
import remarkGfm from "remark-gfm";
import textCss from "../../shared/styles/text.module.css";
import { CodeBlock } from "./code-block.tsx";
import { lazyPart } from "./lazy-part.ts";
import { hasMath, withMath } from "./math-signs.ts";
import { Picture } from "./picture.tsx";
import { isPictureData } from "./picture-address.ts";

// Raw HTML is shown as text; links open elsewhere and only as http(s) or mail; pictures of other hosts wait for a press.
const COMPONENTS: Components = {
  a: ({ href, children }) => <Elsewhere address={href}>{children}</Elsewhere>,
  img: ({ src, alt = "" }) => <Picture address={typeof src === "string" ? src : ""} name={alt} />,
  pre: ({ children, node }) => <CodeBlock node={node}>{children}</CodeBlock>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div className={textCss.wide} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked, type }) => (type === "checkbox" ? <span aria-hidden="true">{checked ? "☑ " : "☐ "}</span> : null),
};

// Tables, task lists and bare links, which models write all the time, and lines that end where they end.
const REMARK: NonNullable<Options["remarkPlugins"]> = [remarkGfm, remarkBreaks];
const NONE: NonNullable<Options["rehypePlugins"]> = [];

const math = lazyPart(() => import("./rich-math.ts"));
const code = lazyPart(() => import("./rich-code.ts"));

interface RichTextProps {
  readonly text: string;
  /** More of it comes: it is coloured when it is whole. */
  readonly isGrowing?: boolean;
}

/** Markdown that cannot do anything but be read. */
export const RichText = memo(function RichText({ text, isGrowing = false }: RichTextProps) {
  const mathPart = math.use(hasMath(text));
  const codePart = code.use(!isGrowing && /^ {0,3}(```|~~~)/m.test(text));
  const remark = useMemo(() => (mathPart ? [...REMARK, ...mathPart.remark] : REMARK), [mathPart]);
  const rehype = useMemo(() => [...(codePart?.rehype ?? NONE), ...(mathPart?.rehype ?? NONE)], [codePart, mathPart]);
  return (
    <Markdown components={COMPONENTS} remarkPlugins={remark} rehypePlugins={rehype} urlTransform={allowed}>
      {mathPart ? withMath(text) : text}
    </Markdown>
  );
});

interface ElsewhereProps {
  readonly address: unknown;
  readonly children: React.ReactNode;
}

/** What may not be opened is no link: its address is empty. */
function Elsewhere({ address, children }: ElsewhereProps) {
  if (typeof address !== "string" || address === "") return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** Besides what Markdown lets through a picture that is in its address. */
function allowed(address: string, key: string): string {
  return key === "src" && isPictureData(address) ? address : defaultUrlTransform(address);
}

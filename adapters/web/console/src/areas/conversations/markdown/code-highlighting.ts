import type { Options } from "react-markdown";
import rehypeHighlight from "rehype-highlight";

/** Only code with a language is highlighted. */
export const rehypePlugins: NonNullable<Options["rehypePlugins"]> = [[rehypeHighlight, { detect: false }]];

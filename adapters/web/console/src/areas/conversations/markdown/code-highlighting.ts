import type { Options } from "react-markdown";
import rehypeHighlight from "rehype-highlight";

/** Only what says its language is coloured. */
export const rehype: NonNullable<Options["rehypePlugins"]> = [[rehypeHighlight, { detect: false }]];

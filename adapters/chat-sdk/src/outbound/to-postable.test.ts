import { expect, test } from "vitest";
import { toPostable } from "./to-postable.ts";

const files = {
  open: async () => {
    throw new Error("there are no files");
  },
  link: (url: string) => url,
};
const format = async (text: string) => toPostable(files, { text, attachments: [] }, { formatsMarkdown: true });

test.each(["@everyone", "hi @here, and (@channel)", "<!channel> and <!subteam^S1>"])(
  "marks that notify everybody are broken: %s",
  async (text) => {
    const content = await format(text);
    expect("raw" in content && content.raw).not.toMatch(/@(everyone|here|channel)|<!/);
  },
);

test.each(["write to me@here.com", "a.b+c@everyone.example", "see `user@channel`", "@hereafter"])(
  "what only resembles such a mark is unchanged: %s",
  async (text) => {
    expect(await format(text)).toEqual({ raw: text });
  },
);

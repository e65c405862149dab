import { type ChannelFile, channelFileOf } from "@parley/core";
import { expect } from "vitest";
import { chapter } from "./check.ts";
import { STORED_FILE } from "./scene.ts";

const BYTES = Buffer.from("%PDF-1.7 what somebody sent");
const neverAborted = new AbortController().signal;

export const files = chapter("files", {
  "an inbound file is a reference without secrets, and the link fetches its bytes": {
    needs: ["sayFile"],
    async run({ given, connected, accepted, secrets }) {
      expect(given.adapter.features ?? ["files_in"], "the feature 'files_in'").toContain("files_in");
      const { link, platform } = await connected();
      await platform.sayFile?.("1", "report.pdf", BYTES);
      await expect.poll(() => accepted.length).toBeGreaterThan(0);
      const [attachment] = accepted[0]?.attachments ?? [];
      if (!attachment) throw new Error("the message carries no attachment");
      expect(accepted[0]?.text, "a file without a text has no text of its own").not.toMatch(/undefined|null|\[object/);
      for (const secret of Object.values(secrets)) {
        expect(`${attachment.url} ${JSON.stringify(channelFileOf(attachment.url))}`).not.toContain(secret);
      }
      if (channelFileOf(attachment.url) === undefined) return expect(attachment.url).toMatch(/^https?:\/\//);
      const file = await link.fetchFile?.(attachment, neverAborted);
      if (!file) throw new Error("the adapter has references and no fetchFile");
      if ("body" in file) expect(await readBytes(file)).toEqual(BYTES);
    },
  },
  "a stored file is sent complete": {
    needs: ["heardFile"],
    async run({ given, connected, message }) {
      expect(given.adapter.features ?? ["files_out"], "the feature 'files_out'").toContain("files_out");
      const { link, platform } = await connected();
      const { url, name, bytes } = STORED_FILE;
      const attachments = [{ type: "file", url, name }] as const;
      await link.send(message(platform.conversation, "", { attachments }), neverAborted);
      expect(Buffer.from((await platform.heardFile?.()) ?? [])).toEqual(bytes);
    },
  },
  "a missing stored file is a permanent failure": {
    needs: ["heardFile"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      const attachments = [{ type: "file", url: "/static/files/gone", name: "gone.pdf" }] as const;
      const failure = await failureOf(link.send(message(platform.conversation, "", { attachments }), neverAborted));
      expect(failure.failure).toBe("permanent");
    },
  },
});

async function readBytes({ body }: Extract<ChannelFile, { readonly body: unknown }>): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

import type { ChannelConfig } from "@parley/core";
import { simpleParser } from "mailparser";
import { describe, expect, test } from "vitest";
import { decodeMail, getSkipReason } from "./incoming.ts";
import { getConfig, settings } from "./settings.ts";

const mailOf = (...lines: string[]) => simpleParser(lines.join("\r\n"));
const channel = (more: object = {}): ChannelConfig => ({
  id: "post",
  name: "Post",
  type: "email",
  transport: "polling",
  enabled: true,
  capabilities: {
    supports_stream: false,
    supports_progress_updates: false,
    supports_file_send: true,
    supports_stop: false,
  },
  config: settings.validate({
    address: "Bot@example.org",
    imap_url: "imaps://mail.example.org",
    smtp_url: "smtps://mail.example.org",
    ...more,
  }).value,
});
const textOf = async (more: object, ...lines: string[]) => decodeMail(channel(more), await mailOf(...lines), 7).text;

describe("the text of a mail", () => {
  const answer = ["From: Ann <Ann@People.example>", "", "Yes, please.", "", "On Monday Bot wrote:", "> Shall I?", ""];

  test("is what its author wrote, without the quoted mail", async () => {
    expect(await textOf({}, ...answer)).toBe("Yes, please.");
    expect(await textOf({ keep_quotes: true }, ...answer)).toContain("> Shall I?");
  });

  test("is extracted from HTML when there is no plain text", async () => {
    const html = ["From: ann@people.example", "Content-Type: text/html; charset=utf-8", "", "<p>Good <b>day</b></p>"];
    expect(await textOf({}, ...html)).toBe("Good day");
  });

  test("is decoded from its charset", async () => {
    const latin = ["From: ann@people.example", "Content-Type: text/plain; charset=iso-8859-1"];
    expect(await textOf({}, ...latin, "Content-Transfer-Encoding: quoted-printable", "", "Gr=FC=DFe")).toBe("Grüße");
  });

  test("belongs to the conversation of its author, however the address is written", async () => {
    const message = decodeMail(channel(), await mailOf(...answer), 7);
    expect(message).toMatchObject({
      sessionId: "post:ann@people.example",
      sender: { id: "ann@people.example", name: "Ann", isAdmin: false },
      platformMessageId: "uid:7",
    });
  });

  test("has a key that others cannot claim with the same Message-ID", async () => {
    const keys = ["ann", "eve"].map(async (name) => {
      const mail = await mailOf(`From: ${name}@people.example`, "Message-ID: <1@people.example>", "", "hello");
      return decodeMail(channel(), mail, 7).dedupeKey;
    });
    const [ann, eve] = await Promise.all(keys);
    expect(ann).not.toBe(eve);
  });
});

describe("a mail is ignored", () => {
  const reason = async (more: object, ...lines: string[]) =>
    getSkipReason(await mailOf(...lines, "", "hello"), getConfig(channel(more)));
  const ann = "From: ann@people.example";

  test.each([
    ["it has no sender", "Subject: hello"],
    ["it comes from the mailbox itself", "From: bot@EXAMPLE.org"],
    ["a machine wrote it", ann, "Auto-Submitted: auto-replied"],
    ["it was sent to many", ann, "List-Id: <news.example>"],
    ["it was sent to many", ann, "Precedence: bulk"],
  ])("because %s", async (wanted, ...lines) => {
    expect(await reason({}, ...lines)).toBe(wanted);
  });

  test("but not when a person wrote it", async () => {
    expect(await reason({}, ann, "Auto-Submitted: no")).toBeUndefined();
  });

  test("when the named server did not verify its sender, whatever other servers claim", async () => {
    const own = { authserv_id: "mx.example.org" };
    const passed = "Authentication-Results: mx.example.org;\r\n dmarc=pass header.from=people.example";
    const failed = "Authentication-Results: mx.example.org; dmarc=fail";
    const strange = "Authentication-Results: mx.example.org.evil.example; dmarc=pass";
    expect(await reason(own, passed, ann)).toBeUndefined();
    for (const lines of [[ann], [failed, ann], [strange, ann], [failed, passed, ann]])
      expect(await reason(own, ...lines)).toBe("its sender is not verified");
  });
});

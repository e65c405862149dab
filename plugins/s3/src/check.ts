import type { Check, Finding, Localized } from "@parley/core";
import type { Bucket } from "./bucket.ts";
import type { BucketHealth } from "./bucket-health.ts";

const ADVICE: Localized = {
  en: "look at the server of the bucket, at the way to it, and at the rights of the key; it goes on by itself",
  zh: "请检查存储桶服务器、网络和密钥权限；恢复后会自动继续",
};

export interface BucketCheckDeps {
  readonly bucket: Pick<Bucket, "location">;
  readonly watch: BucketHealth;
  /** Throws when a variable with a part of the key is missing. */
  readonly readKeys: () => unknown;
  /** Throws the sentence that says why the bucket cannot be used. */
  readonly reach: () => Promise<void>;
}

/** Checks that files can be stored and read. */
export function createBucketCheck({ bucket: { location: place }, watch, readKeys, reach }: BucketCheckDeps): Check {
  return {
    id: "s3",
    beforeStart: () => void readKeys(),
    async run() {
      const reason = await watch.getProblem();
      return reason === undefined ? [] : [toFailingFinding(`${place} (${reason})`, { place, reason })];
    },
    async elsewhere() {
      const sentence = await reach().then(
        () => undefined,
        (error: Error) => error.message,
      );
      return sentence === undefined ? [] : [toFailingFinding(sentence, { place, reason: sentence })];
    },
  };
}

function toFailingFinding(what: string, parameters: Readonly<Record<string, string>>): Finding {
  return {
    key: "s3.failing",
    level: "problem",
    said: { en: `files cannot be stored or read: ${what}`, zh: `文件无法保存或读取：${what}` },
    advice: ADVICE,
    parameters,
  };
}

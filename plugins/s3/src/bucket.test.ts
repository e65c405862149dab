import { AppError, toLocalized } from "@parley/core";
import { expect, test } from "vitest";
import { createBucket } from "./bucket.ts";
import { S3_CONFIG } from "./config.ts";
import { BucketError, toAppError } from "./errors.ts";
import { getElementText, getElementTexts } from "./xml.ts";

interface Sent {
  readonly url: string;
  readonly authorization: string;
}

/** A bucket with scripted responses, and the requests it received. */
function scripted(given: object, ...answers: readonly (Response | Error)[]) {
  const config = S3_CONFIG.validate({ endpoint: "https://s3.example", bucket: "files", ...given }).value;
  const [sent, left]: [Sent[], (Response | Error)[]] = [[], [...answers]];
  const fetch = async (url: URL, { headers }: RequestInit) => {
    sent.push({ url: url.href, authorization: new Headers(headers).get("authorization") ?? "" });
    const answer = left.shift() ?? new Response("");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const bucket = createBucket({
    config,
    environment: { get: () => undefined, secret: (name) => (name === "PARLEY_S3_ACCESS_KEY" ? "AKID" : "secret") },
    egress: { fetch: () => fetch as never },
  });
  return { bucket, sent };
}

const key = "parley/猫 + it's.png";
const path = "parley/%E7%8C%AB%20%2B%20it's.png";

test.each([
  [{}, `https://s3.example/files/${path}`],
  [{ path_style: false }, `https://files.s3.example/${path}`],
  [{ endpoint: "http://10.0.0.1:9000/storage/" }, `http://10.0.0.1:9000/storage/files/${path}`],
])("with %j an object is at %s", async (given, url) => {
  const { bucket, sent } = scripted(given);
  await bucket.request({ method: "GET", key });
  expect(sent[0]?.url).toBe(url);
});

test("every request is signed for its region, and a bucket is requested at its own address", async () => {
  const { bucket, sent } = scripted({ path_style: false, region: "eu-central-1" });
  await bucket.request({ method: "GET", query: { "list-type": "2", prefix: "a b/" } });
  expect(sent[0]?.url).toBe("https://files.s3.example/?list-type=2&prefix=a+b%2F");
  expect(sent[0]?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/s3\/aws4_request, /);
});

test("temporary errors are retried twice, permanent ones are not", async () => {
  const busy = () => new Response("<Error><Code>SlowDown</Code></Error>", { status: 503 });
  const cut = new AppError("upstream_failed", "the connection was cut");
  const passing = scripted({}, busy(), cut, new Response("it works"));
  expect(await (await passing.bucket.request({ method: "GET", key })).text()).toBe("it works");
  const staying = scripted({}, busy(), busy(), busy());
  await expect(staying.bucket.request({ method: "GET", key })).rejects.toMatchObject({ status: 503, code: "SlowDown" });
  expect(staying.sent).toHaveLength(3);
  const rejecting = scripted({}, new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 }));
  await expect(rejecting.bucket.request({ method: "GET", key })).rejects.toMatchObject({
    status: 403,
    code: "AccessDenied",
  });
  expect(rejecting.sent).toHaveLength(1);
});

test.each([
  [new BucketError(400, "BadDigest", ""), "conflict", "内容与所声明的不符"],
  [new BucketError(503, "SlowDown", "later"), "unavailable", "保存文件的存储桶没有正常响应"],
])("%s is explained to people in their language", (error, code, zh) => {
  const appError = toAppError(error);
  expect(AppError.is(appError) && [appError.code, toLocalized(appError).zh]).toEqual([code, zh]);
});

test("entities and CDATA in the text of elements are decoded, comments are not read", () => {
  const xml =
    '<R xmlns="a"><Key>a&amp;b&lt;&#39;&#x4e2d;&nope;</Key><Key><![CDATA[c<d]]></Key><!-- <Key>no</Key> --></R>';
  expect(getElementTexts(xml, "Key")).toEqual(["a&b<'中&nope;", "c<d"]);
  expect(getElementText(xml, "Code")).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import { isImageDataUrl, toOwnFilePath, toRemoteHost } from "./image-url.ts";

const HERE = "https://parley.example:5000";

describe("the address of a picture", () => {
  test.each([
    ["/static/files/0abc-cat.png", "/static/files/0abc-cat.png"],
    [`${HERE}/static/files/0abc-cat.png`, "/static/files/0abc-cat.png"],
    ["/api/sessions/sess_1/workspace/files/cat.png", "/api/sessions/sess_1/workspace/files/cat.png"],
    ["/api/workspace/shared/files/cat.png", "/api/workspace/shared/files/cat.png"],
    ["/api/logout", undefined],
    ["/static/files/../../api/logout", undefined],
    ["//evil.example/static/files/cat.png", undefined],
    [`${HERE}.evil.example/static/files/cat.png`, undefined],
    ["https://evil.example/static/files/cat.png", undefined],
  ])("links to the service's own file: %s is %s", (address, path) => {
    expect(toOwnFilePath(address, HERE)).toBe(path);
  });

  test.each([
    ["data:image/png;base64,iVBORw0KGgo=", true],
    ["data:image/webp;base64,UklGRg==", true],
    ["data:image/svg+xml;base64,PHN2Zz4=", false],
    ["data:image/png,<svg>", false],
    ["data:text/html;base64,PGI+", false],
    ["DATA:IMAGE/PNG;BASE64,iVBORw0KGgo=", true],
  ])("is inline data: %s is %s", (address, is) => {
    expect(isImageDataUrl(address)).toBe(is);
  });

  test.each([
    ["https://example.com/a.png", "example.com"],
    ["http://example.com:8080/a.png", "example.com:8080"],
    ["javascript:alert(1)", undefined],
    ["//example.com/a.png", "example.com"],
    ["a.png", undefined],
    [`${HERE}/a.png`, undefined],
    ["", undefined],
  ])("is on another server: %s is at %s", (address, host) => {
    expect(toRemoteHost(address, HERE)).toBe(host);
  });
});

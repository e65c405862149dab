import { isTextType } from "@parley/core";
import { expect, test } from "vitest";
import { isDocument, isReadAsText } from "./readable-files.ts";

const TYPES = "text/plain text/markdown text/html application/json application/xml image/svg+xml application/pdf";
const OTHERS = "application/octet-stream application/zip application/jsonx image/png audio/ogg";

test.each(`${TYPES} ${OTHERS}`.split(" "))("%s is shown as readable because the service can read it", (type) => {
  expect(isReadAsText(type)).toBe(isTextType(type));
});

test("documents are files that text can be extracted from, without archives", () => {
  const office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  for (const type of ["application/pdf", "application/epub+zip", office]) expect(isDocument(type)).toBe(true);
  for (const type of ["application/zip", "application/octet-stream", undefined]) expect(isDocument(type)).toBe(false);
});

import { expect, test } from "vitest";
import { toDeviceName } from "./device.ts";

const MOZILLA = "Mozilla/5.0";
const KHTML = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/141.0.0.0 Safari/537.36`, "Chrome · Windows"],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, "Edge · Windows"],
  [`${MOZILLA} (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0`, "Firefox · Linux"],
  [`${MOZILLA} (Linux; Android 15; Pixel 9) ${KHTML} Chrome/141.0.0.0 Mobile Safari/537.36`, "Chrome · Android"],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
    "Safari · iPhone",
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
    "Safari · macOS",
  ],
  ["curl/8.14.1", "curl"],
  ["node", "node"],
  ["<script>alert(1)</script>", null],
  ["", null],
  [undefined, null],
])("%s is shown as the device %s", (userAgent, shown) => {
  expect(toDeviceName(userAgent)).toBe(shown);
});

import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { refetch } from "./refetch.ts";

/** A mounted list whose responses the test resolves. */
function shownList() {
  const client = new QueryClient();
  const answers: ((items: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["list"],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    retry: false,
  });
  const stop = observer.subscribe(() => {});
  return { client, answers, stop, data: () => observer.getCurrentResult().data };
}

test("a first response that was requested before a change does not count as current", async () => {
  const { client, answers, stop, data } = shownList();
  expect(answers).toHaveLength(1);
  const read = refetch(client, ["list"]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.("after");
  await read;
  answers[0]?.("before");
  await Promise.resolve();
  expect(data()).toBe("after");
  stop();
});

test("old data stay visible until the new response arrives", async () => {
  const { client, answers, stop, data } = shownList();
  answers[0]?.("before");
  await expect.poll(data).toBe("before");
  const read = refetch(client, ["list"]);
  await expect.poll(() => answers.length).toBe(2);
  expect(data()).toBe("before");
  answers[1]?.("after");
  await read;
  expect(data()).toBe("after");
  stop();
});

test("changes that arrive faster than they can be fetched cause one request at a time, and a last one", async () => {
  const { client, answers, stop, data } = shownList();
  answers[0]?.("before");
  await expect.poll(data).toBe("before");
  const burst = () => Array.from({ length: 50 }, () => refetch(client, ["list"]));
  const first = burst();
  await expect.poll(() => answers.length).toBe(2);
  const more = burst();
  answers[1]?.("first");
  await first[0];
  expect(data()).toBe("first");
  await expect.poll(() => answers.length).toBe(3);
  answers[2]?.("second");
  await Promise.all([...first, ...more]);
  expect([data(), answers.length]).toEqual(["second", 3]);
  stop();
});

test("a refetch for one kind does not wait for another", async () => {
  const { client, answers, stop, data } = shownList();
  answers[0]?.("before");
  await expect.poll(data).toBe("before");
  const other = new QueryObserver(client, { queryKey: ["other"], queryFn: () => new Promise<string>(() => {}) });
  const stopOther = other.subscribe(() => {});
  void refetch(client, ["other"]);
  const read = refetch(client, ["list"]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.("after");
  await read;
  expect(data()).toBe("after");
  stopOther();
  stop();
});

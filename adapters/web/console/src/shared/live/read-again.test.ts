import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { readAgain } from "./read-again.ts";

/** A list that is shown, whose answers come when they are let. */
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

test("a first answer that is on its way is not taken for one made after the change", async () => {
  const { client, answers, stop, data } = shownList();
  expect(answers).toHaveLength(1);
  const read = readAgain(client, ["list"]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.("after");
  await read;
  answers[0]?.("before");
  await Promise.resolve();
  expect(data()).toBe("after");
  stop();
});

test("what is shown stays until the new answer is there", async () => {
  const { client, answers, stop, data } = shownList();
  answers[0]?.("before");
  await expect.poll(data).toBe("before");
  const read = readAgain(client, ["list"]);
  await expect.poll(() => answers.length).toBe(2);
  expect(data()).toBe("before");
  answers[1]?.("after");
  await read;
  expect(data()).toBe("after");
  stop();
});

import { silentLogger, systemClock } from "@parley/core";
import { recordedEvents } from "@parley/testing";
import { expect, test } from "vitest";
import { type Confirmations, createConfirmations } from "./confirmations.ts";
import type { QuestionEvent } from "./remote-questions.ts";

const person = (accountId: string) => ({ channelId: "web", id: accountId, accountId, isAdmin: false });
const ANN = person("ann");
const BOB = person("bob");
const onChannel = (id: string, more: object = {}) => ({ channelId: "talk", id, isAdmin: false, ...more });

/** Creates createProcesses that receive each other's events. */
function createProcesses(count: number): readonly Confirmations[] {
  const listeners: ((news: QuestionEvent) => void)[] = [];
  return Array.from({ length: count }, (_, index) => {
    const made = createConfirmations({
      events: recordedEvents(),
      clock: systemClock,
      redaction: { mask: (value) => value, toMaskedJson: JSON.stringify, remember() {} },
      log: silentLogger,
      gateway: () => undefined,
      session: async () => undefined,
      remoteQuestions: {
        send(news) {
          for (const [other, receive] of listeners.entries())
            if (other !== index) receive(JSON.parse(JSON.stringify(news)));
        },
        listen(receive) {
          listeners[index] = receive;
          return () => {};
        },
      },
    });
    made.follow();
    return made;
  });
}

const ask = (one: Confirmations, by: ReturnType<typeof onChannel> = ANN) => {
  const inbound = { channelId: by.channelId, sender: by };
  const signal = new AbortController().signal;
  const context = { sessionId: "web:a", callerId: "ann", signal, isOperatorOnly: true, inbound };
  return one.ask({ tool: { name: "remove" }, args: {}, context } as never);
};

test("a confirmation of one process is answered at any, by authorized people, and closed at all of them", async () => {
  const [asking, answering, third] = createProcesses(3) as [Confirmations, Confirmations, Confirmations];
  const asked = ask(asking);
  const [question] = answering.open();
  expect(question).toMatchObject({ tool: "remove", session_id: "web:a" });
  const id = String(question?.id);
  expect(() => answering.answerById(id, true, BOB)).toThrow("only the person who asked for it");
  expect(answering.answerById(id, true, ANN)).toMatchObject({ approved: true });
  expect(await asked).toBe("ann");
  expect([asking, answering, third].map((one) => one.open())).toEqual([[], [], []]);
  expect(() => third.answerById(id, true, ANN)).toThrow("open question");
});

test("a confirmation that is declined at another process is declined", async () => {
  const [asking, answering] = createProcesses(2) as [Confirmations, Confirmations];
  const asked = ask(asking);
  answering.answer({ sessionId: "web:a", approved: false, by: ANN });
  expect(await asked).toBeUndefined();
});

test("a person on a channel may decline but not allow their own request; an administrator may allow it", async () => {
  const [one] = createProcesses(1) as [Confirmations];
  const asked = ask(one, onChannel("eve"));
  const answer = { sessionId: "web:a", approved: true };
  expect(() => one.answer({ ...answer, by: onChannel("eve") })).toThrow("only an administrator may allow this");
  expect(() => one.answer({ ...answer, by: onChannel("bob") })).toThrow("only an administrator may allow this");
  expect(() => one.answer({ ...answer, approved: false, by: onChannel("bob") })).toThrow("only the person who asked");
  one.answer({ ...answer, by: onChannel("root", { isAdmin: true }) });
  expect(await asked).toBe("root");
  const again = ask(one, onChannel("eve"));
  one.answer({ ...answer, approved: false, by: onChannel("eve") });
  expect(await again).toBeUndefined();
});

test("the requester is identified by account and channel, never by an id of their choice", async () => {
  const [one] = createProcesses(1) as [Confirmations];
  const asked = ask(one);
  const answer = { sessionId: "web:a", approved: true };
  for (const by of [onChannel("ann"), { ...BOB, id: "ann" }, { id: "ann", isAdmin: false }])
    expect(() => one.answer({ ...answer, by })).toThrow("only the person who asked");
  one.answer({ ...answer, by: { ...ANN, id: "label" } });
  expect(await asked).toBe("ann");
});

test("other text in the conversation declines open confirmations, at every process", async () => {
  const [asking, answering] = createProcesses(2) as [Confirmations, Confirmations];
  const asked = ask(asking);
  answering.refuseOpen("web:b");
  expect(asking.open()).toHaveLength(1);
  answering.refuseOpen("web:a");
  expect(await asked).toBeUndefined();
  expect([asking.open(), answering.open()]).toEqual([[], []]);
});

import { silentLogger, systemClock } from "@parley/core";
import { recordedEvents } from "@parley/testing";
import { expect, test } from "vitest";
import { type Confirmations, createConfirmations } from "./confirmations.ts";
import type { QuestionNews } from "./questions-elsewhere.ts";

const ANN = { id: "ann", isAdmin: false, isProgram: false } as never;
const BOB = { id: "bob", isAdmin: false, isProgram: false } as never;

/** Processes that hear each other. */
function processes(count: number): readonly Confirmations[] {
  const heard: ((news: QuestionNews) => void)[] = [];
  return Array.from({ length: count }, (_, index) => {
    const made = createConfirmations({
      events: recordedEvents(),
      clock: systemClock,
      redaction: { mask: (value) => value, remember() {} },
      log: silentLogger,
      gateway: () => undefined,
      session: async () => undefined,
      elsewhere: {
        tell(news) {
          for (const [other, hear] of heard.entries()) if (other !== index) hear(JSON.parse(JSON.stringify(news)));
        },
        listen(hear) {
          heard[index] = hear;
          return () => {};
        },
      },
    });
    made.follow();
    return made;
  });
}

const ask = (one: Confirmations) => {
  const context = { sessionId: "web:a", callerId: "ann", signal: new AbortController().signal, isOperatorOnly: true };
  return one.ask({ tool: { name: "remove" }, args: {}, context } as never);
};

test("a question of one process is answered at any, by who may, and is over at all of them", async () => {
  const [asking, answering, third] = processes(3) as [Confirmations, Confirmations, Confirmations];
  const asked = ask(asking);
  const [question] = answering.open();
  expect(question).toMatchObject({ tool: "remove", session_id: "web:a" });
  const id = String(question?.id);
  expect(() => answering.answerOne(id, true, BOB)).toThrow("only the person who asked for it");
  expect(answering.answerOne(id, true, ANN)).toMatchObject({ approved: true });
  expect(await asked).toBe("ann");
  expect([asking, answering, third].map((one) => one.open())).toEqual([[], [], []]);
  expect(() => third.answerOne(id, true, ANN)).toThrow("open question");
});

test("a question that is refused at another process is refused", async () => {
  const [asking, answering] = processes(2) as [Confirmations, Confirmations];
  const asked = ask(asking);
  answering.answer({ sessionId: "web:a", approved: false, by: ANN });
  expect(await asked).toBeUndefined();
});

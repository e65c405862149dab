import { describe, expect, it } from "vitest";
import { computeMoves, sortByOrder } from "./insertion-order.ts";

const createList = (...orders: readonly number[]) =>
  orders.map((insertion_order, at) => ({ id: `e${at}`, insertion_order }));
const moveTo = (list: ReturnType<typeof createList>, id: string, to: number) => {
  const changes = new Map(computeMoves(list, id, to).map((one) => [one.id, one.insertion_order]));
  const now = list.map((one) => ({ ...one, insertion_order: changes.get(one.id) ?? one.insertion_order }));
  return { ids: sortByOrder(now).map((one) => one.id), changed: changes.size };
};

describe("dragging an entry", () => {
  it("changes only that entry when there is a free number", () => {
    expect(moveTo(createList(10, 20, 30, 40), "e3", 1)).toEqual({ ids: ["e0", "e3", "e1", "e2"], changed: 1 });
    expect(moveTo(createList(10, 20, 30), "e2", 0)).toEqual({ ids: ["e2", "e0", "e1"], changed: 1 });
    expect(moveTo(createList(10, 20, 30), "e0", 2)).toEqual({ ids: ["e1", "e2", "e0"], changed: 1 });
  });

  it("renumbers others when all have the same number, or there is no room in front", () => {
    expect(moveTo(createList(100, 100, 100), "e2", 0).ids).toEqual(["e2", "e0", "e1"]);
    expect(moveTo(createList(0, 1, 2), "e2", 0).ids).toEqual(["e2", "e0", "e1"]);
    expect(moveTo(createList(99_999, 100_000), "e0", 1).ids).toEqual(["e1", "e0"]);
  });

  it("changes nothing when it is dropped where it was", () => {
    expect(computeMoves(createList(1, 2), "e0", 0)).toEqual([]);
    expect(computeMoves(createList(1, 2), "e9", 0)).toEqual([]);
  });
});

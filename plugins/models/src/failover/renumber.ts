export interface NewPriority {
  readonly id: string;
  readonly priority: number;
}

/** Returns new priorities: requested ones come first among equals, others move down; all count from 0 if one would exceed `maxPriority`. */
export function renumber<Model extends NewPriority>(
  models: readonly Model[],
  priorities: readonly NewPriority[],
  maxPriority: number,
): readonly NewPriority[] {
  const named = new Map(priorities.map(({ id, priority }) => [id, priority]));
  const newPriority = (model: Model) => named.get(model.id) ?? model.priority;
  const tieOrder = ({ id }: Model) => (named.has(id) ? 0 : 1);
  const ordered = models.toSorted((a, b) => newPriority(a) - newPriority(b) || tieOrder(a) - tieOrder(b));
  let last = -1;
  const spread = ordered.map((model) => {
    last = Math.max(newPriority(model), last + 1);
    return { id: model.id, priority: last };
  });
  return last <= maxPriority ? spread : ordered.map(({ id }, priority) => ({ id, priority }));
}

import { useState } from "react";
import { diffValues, isDeepEqual } from "../../is-deep-equal.ts";
import { filterFields } from "../../objects.ts";
import { useAction } from "../common.tsx";
import { createComparison } from "./conflict-differences.tsx";
import { type EditConflict, getConflictRevision } from "./edit-conflict.tsx";

interface Stored {
  readonly id?: string;
  readonly revision: number;
}

interface RecordFormOptions<Draft extends object, Item extends Stored> {
  /** Queries to refetch after an action of the form. */
  readonly queryKeys?: readonly (readonly string[])[];
  /** The record as last read; undefined for a new one. */
  readonly record?: Item | undefined;
  /** Default: the record's id. */
  readonly id?: string;
  /** True when the record was deleted elsewhere: only the draft is left. */
  readonly isRemoved?: boolean;
  /** Returns the form values of a record, or those of a new one. */
  readonly toDraft: (record: Item | undefined) => Draft;
  /** Fetches the record as it is stored now. */
  readonly read?: (() => Promise<Item>) | undefined;
  /** Stores the values over a revision of the record. */
  readonly change?: (record: Item, draft: Draft, ifMatch: number | undefined) => Promise<Item>;
  /** Stores the values as a new record; undefined where there can be only one. */
  readonly create?: ((draft: Draft) => Promise<Item | undefined>) | undefined;
  /** True if `change` stores only changed values, so that others' changes of different values are merged into the draft. */
  readonly isPatch?: boolean;
  /** Values that are never shown in a comparison. */
  readonly secrets?: readonly (keyof Draft & string)[];
  readonly isValid?: (draft: Draft) => boolean;
  readonly onSaved?: (record: Item | undefined, draft: Draft) => unknown;
}

/**
 * Manages the draft of a record: values, saving, and the ways out of an edit conflict; `props` are those of its `Form`.
 * Changes by others are shown unless they conflict with unsaved ones, and text typed during a save stays unsaved.
 */
export function useRecordForm<Draft extends object, Item extends Stored = Stored>(
  options: RecordFormOptions<Draft, Item>,
) {
  const { record: latest, isRemoved = false, toDraft, read, change, create, isPatch, secrets = [], onSaved } = options;
  const [record, setRecord] = useState(latest);
  const [initial, setInitial] = useState(() => toDraft(latest));
  const [draft, setDraft] = useState(initial);
  const { toHandler, isBusy, error } = useAction(options.queryKeys ?? []);
  const ownChanges = diffValues(draft, initial);
  const isChanged = Object.keys(ownChanges).length > 0;
  const isValid = options.isValid?.(draft) ?? true;
  const update = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }));
  /** Continues with a stored record; values that differ from `saved` stay as they are. */
  const restart = (stored: Item | undefined, saved?: Draft) => {
    const values = toDraft(stored);
    setRecord(stored);
    setInitial(values);
    setDraft((now) => (saved ? { ...values, ...diffValues(now, saved) } : values));
  };
  if (latest && latest.revision > (record?.revision ?? Number.POSITIVE_INFINITY)) {
    const theirs = diffValues(toDraft(latest), initial);
    const isMergeable = isPatch ? !Object.keys(theirs).some((name) => name in ownChanges) : isDeepEqual(theirs, {});
    if (!isChanged || isMergeable) restart(latest, initial);
  }
  const store = (ifMatch: number | undefined) =>
    toHandler(async () => {
      if (!record || !change) return saveAsNew();
      const stored = await change(record, draft, ifMatch);
      restart(stored, draft);
      await onSaved?.(stored, draft);
    });
  const saveAsNew = async () => {
    const created = await create?.(draft);
    await onSaved?.(created, draft);
  };
  const secretNames = new Set<string>(secrets);
  const saveOver = store(record?.revision);
  const save = async () => {
    if (isValid && !isBusy) await saveOver();
  };
  const conflict: EditConflict | undefined = record && {
    id: options.id ?? record.id ?? "",
    isRemoved,
    ...(read && {
      comparison: createComparison<Draft>(
        filterFields(isPatch ? ownChanges : draft, (name) => !secretNames.has(name)),
        async () => toDraft(await read()),
        update,
      ),
      onTakeTheirs: toHandler(async () => restart(await read())),
    }),
    onKeepMine: store(getConflictRevision(error)),
    onSaveAsNew: create && toHandler(saveAsNew),
  };
  return {
    props: { isChanged, error, onSubmit: save, conflict },
    record,
    initial,
    draft,
    update,
    /** Returns the props of the field for a value. */
    field: <Name extends keyof Draft & string>(name: Name) => ({
      name,
      value: draft[name],
      onChange: (value: Draft[Name]) => setDraft((before) => ({ ...before, [name]: value })),
    }),
    isChanged,
    isValid,
    isBusy,
    error,
    save,
    restart,
    toHandler,
  };
}

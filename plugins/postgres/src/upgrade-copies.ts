import { AppError, type Clock, isNewerVersion, type Logger } from "@parley/core";
import { findUpgradeCopies, upgradeCopyName } from "@parley/core/storage";
import type pg from "pg";
import { WRITER_LOCK } from "./cluster/membership.ts";
import { withConnection } from "./connection/connections.ts";
import { toReason } from "./connection/failures.ts";

const KEEP_DAYS = 7;
const DAY_MS = 86_400_000;

/** Copies of the tables as they were before a newer version changed them: schemas of the same database. */
export interface UpgradeCopies {
  /** Copies the tables before their first change, unless this version has done so; throws `unavailable` where that fails. */
  make(version: string): Promise<void>;
  /** Returns the name of the copy that a service of this version can use; undefined when there is none. */
  find(version: string): Promise<string | undefined>;
  /** Removes copies that are older than seven days. */
  prune(): Promise<void>;
}

export interface UpgradeCopiesOptions {
  readonly options: pg.ClientConfig;
  /** Tables about the running processes, which are never copied or restored. */
  readonly excludedTables: readonly string[];
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

export function createUpgradeCopies({ options, excludedTables, clock, log }: UpgradeCopiesOptions): UpgradeCopies {
  // Without timeouts, because the copy may be large.
  const { query_timeout: _, ...rest } = options;
  const patient = { ...rest, statement_timeout: 0 };
  const findCopies = async (client: pg.Client) => {
    const { rows } = await client.query(NAMES);
    return findUpgradeCopies(rows.map(({ name }) => String(name)));
  };
  return {
    async make(version) {
      try {
        await withConnection(patient, async (client) => {
          if ((await findCopies(client)).some((copy) => copy.version === version)) return;
          const name = upgradeCopyName(version, clock.now());
          await client.query(toCopyStatement(name, excludedTables));
          const way = toRestoreStatement(name);
          log.warn("the database is upgraded; a copy of its previous state is stored in a schema", {
            version,
            schema: name,
            days: KEEP_DAYS,
            restore: way,
          });
        });
      } catch (cause) {
        const way = "Make room, or let the role of the service create schemas, and start again. Nothing was changed";
        throw new AppError(
          "unavailable",
          `the database is not upgraded: its tables cannot be copied first: ${toReason(cause)}. ${way}`,
          { cause },
        );
      }
    },
    find: (own) =>
      withConnection(
        patient,
        async (client) => (await findCopies(client)).find((one) => isNewerVersion(one.version, own))?.name,
      ),
    async prune() {
      const since = clock.now() - KEEP_DAYS * DAY_MS;
      await withConnection(patient, async (client) => {
        for (const { name, madeMs } of await findCopies(client))
          if (madeMs < since) await client.query(`drop schema ${quoteName(name)} cascade`);
      });
    },
  };
}

/** Returns the statement that replaces the current tables by those of a copy; the service must not run. */
export function toRestoreStatement(name: string): string {
  return `select ${quoteName(name)}.restore()`;
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;
const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Selects copies that still have their tables; a restored copy has none. */
const NAMES = `select n.nspname as name from pg_namespace n where n.nspname like 'before-%'
  and exists (select from pg_class c where c.relnamespace = n.oid and c.relkind = 'r')`;

/** Creates the statement of a consistent copy. Constraint and index names are preserved, since earlier migrations may reference them. */
function toCopyStatement(name: string, excludedTables: readonly string[]): string {
  const tables = `select c.oid, c.relname from pg_class c where c.relnamespace = from_schema::regnamespace
      and c.relkind = 'r' and c.relname <> all (array[${excludedTables.map(quoteText).join(", ")}]::text[]) order by c.relname`;
  return `begin isolation level repeatable read;
    create schema ${quoteName(name)};
    do $copy$ declare
      from_schema text := quote_ident(current_schema());
      to_schema text := quote_ident(${quoteText(name)});
      t record; part record;
    begin
      for t in ${tables} loop
        execute format('create table %s.%I (like %s.%I including all excluding indexes)',
          to_schema, t.relname, from_schema, t.relname);
        execute format('insert into %s.%I overriding system value select * from %s.%I',
          to_schema, t.relname, from_schema, t.relname);
        ${SEQUENCES}
        ${KEYS}
      end loop;
      for t in ${tables} loop ${REFERENCES} end loop;
    end $copy$;
    ${toRestoreFunction(name, tables)};
    commit`;
}

const SEQUENCES = `for part in select a.attname, a.attidentity, s.relname as sequence
          from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
          join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
          where d.refobjid = t.oid and d.deptype in ('a', 'i') loop
          if part.attidentity = '' then
            execute format('create sequence %s.%I owned by %s.%I.%I', to_schema, part.sequence, to_schema, t.relname, part.attname);
            execute format('alter table %s.%I alter column %I set default nextval(%L)', to_schema, t.relname, part.attname,
              format('%s.%I', to_schema, part.sequence));
          end if;
          execute format('select setval(pg_get_serial_sequence(%L, %L), last_value, is_called) from %s.%I',
            format('%s.%I', to_schema, t.relname), part.attname, from_schema, part.sequence);
        end loop;`;

const KEYS = `for part in select conname, pg_get_constraintdef(oid) as definition from pg_constraint
          where conrelid = t.oid and contype in ('p', 'u', 'x') loop
          execute format('alter table %s.%I add constraint %I %s', to_schema, t.relname, part.conname, part.definition);
        end loop;
        for part in select i.indexrelid, pg_get_indexdef(i.indexrelid) as definition from pg_index i where i.indrelid = t.oid
          and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')) loop
          execute replace(part.definition, format(' ON %s.%I USING', from_schema, t.relname),
            format(' ON %s.%I USING', to_schema, t.relname));
        end loop;`;

const REFERENCES = `for part in select k.conname, pg_get_constraintdef(k.oid) as definition, c.relname as target
        from pg_constraint k join pg_class c on c.oid = k.confrelid where k.conrelid = t.oid and k.contype = 'f' loop
        execute format('alter table %s.%I add constraint %I %s', to_schema, t.relname, part.conname,
          regexp_replace(part.definition, 'REFERENCES [^(]+[(]', format('REFERENCES %s.%I(', to_schema, part.target)));
      end loop;`;

/** Creates the function that restores a copy within the copy itself, so that nothing else is needed. */
function toRestoreFunction(name: string, tables: string): string {
  return `create function ${quoteName(name)}.restore() returns text language plpgsql as $restore$ declare
      from_schema text := quote_ident(current_schema());
      t record; count integer := 0;
    begin
      if not pg_try_advisory_xact_lock(${WRITER_LOCK.join(", ")}) then
        raise exception 'Parley works on this database: stop it first';
      end if;
      for t in ${tables} loop execute format('drop table %s.%I cascade', from_schema, t.relname); end loop;
      for t in select relname from pg_class where relnamespace = ${quoteText(quoteName(name))}::regnamespace and relkind = 'r' loop
        execute format('alter table %s.%I set schema %s', ${quoteText(quoteName(name))}, t.relname, from_schema);
        count := count + 1;
      end loop;
      return count || ' tables are as they were';
    end $restore$`;
}

import pg from "pg";

/** The role that migrates keeps these to itself; the running service only reads them. */
const readOnly = ["schema_migrations"];

/** What the running service calls with the owner's rights. */
const functions = ["create_ledger_month(date)", "drop_ledger_month(date)"];

export class RuntimeRoleError extends Error {
  readonly code: "role_missing" | "role_owns";
  constructor(code: RuntimeRoleError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Lets a role read and write all rows, those of tables that come later included, and change nothing of the schema. Call it as
 * the owner of the tables. Safe to repeat.
 */
export const grantRuntimeRole = async (client: pg.ClientBase, role: string): Promise<void> => {
  const { rows } = await client.query<{ there: boolean; owns: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as there, $1 = current_user as owns`,
    [role],
  );
  const name = pg.escapeIdentifier(role);
  if (!rows[0]?.there)
    throw new RuntimeRoleError(
      "role_missing",
      `PostgreSQL has no role ${name}, which PORTAGE_RUNTIME_ROLE names: create it (create role ${name} login password '…'), then run this again.`,
    );
  if (rows[0].owns)
    throw new RuntimeRoleError(
      "role_owns",
      `PORTAGE_RUNTIME_ROLE names ${name}, the role that migrates and owns the tables: name the one that API and workers connect as.`,
    );
  const rights = "select, insert, update, delete";
  await client.query("begin");
  try {
    // A month that is created meanwhile would be granted twice at once, which PostgreSQL refuses.
    await client.query("select pg_advisory_xact_lock(hashtextextended('ledger months', 0))");
    await client.query(`
      grant usage on schema public to ${name};
      grant ${rights} on all tables in schema public to ${name};
      grant usage, select, update on all sequences in schema public to ${name};
      revoke insert, update, delete on ${readOnly.join(", ")} from ${name};
      grant execute on function ${functions.join(", ")} to ${name};
      alter default privileges in schema public grant ${rights} on tables to ${name};
      alter default privileges in schema public grant usage, select, update on sequences to ${name}`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
};

/** What the role of this connection may do beyond its work, and what it lacks for it. */
export interface RoleRights {
  readonly role: string;
  /** Why it could change the schema; null: it can't. */
  readonly changes: "superuser" | "owner" | "creator" | null;
  /** Tables that it can't write, such as those that came without its grants. */
  readonly lacks: readonly string[];
}

export const readRoleRights = async (pool: pg.Pool): Promise<RoleRights> => {
  const { rows } = await pool.query<RoleRights>(
    `select current_user as role,
       case
         when (select rolsuper from pg_roles where rolname = current_user) then 'superuser'
         when exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
           and pg_has_role(current_user, relowner, 'usage')) then 'owner'
         when has_schema_privilege('public', 'create') then 'creator'
       end as changes,
       array(select relname::text from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all ($1)
           and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
             and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
         order by 1) as lacks`,
    [readOnly],
  );
  const [rights] = rows;
  if (!rights) throw new Error("PostgreSQL did not say who this is.");
  return rights;
};

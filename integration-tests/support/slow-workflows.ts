import type { Store } from "./store"

/**
 * Medusa's workflow engine in memory loses a rollback when a step ends while the engine still writes what another one
 * did (docs/decisions/04). Writes that take longer than its retries make that likely; not on a machine so busy that the
 * steps end far apart, so whoever needs it tries again.
 */
export async function whileWorkflowsWriteSlowly<Result>({ db }: Store, work: () => Promise<Result>): Promise<Result> {
  await db.raw(
    `CREATE FUNCTION write_slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$;
     CREATE TRIGGER write_slowly BEFORE INSERT OR UPDATE ON workflow_execution FOR EACH ROW EXECUTE FUNCTION write_slowly()`
  )
  try {
    return await work()
  } finally {
    await db.raw("DROP TRIGGER write_slowly ON workflow_execution; DROP FUNCTION write_slowly")
  }
}

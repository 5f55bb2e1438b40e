import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compileStore } from "../../../scripts/lib/compiled-store.mjs"
import { medusa } from "../../../scripts/lib/medusa.mjs"

const NAME = "Migration20990101000000"
/** As a version that is compatible with the one before it changes a table: what exists still fits the old processes. */
const MIGRATION = `import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class ${NAME} extends Migration {
  override up(): void {
    this.addSql("ALTER TABLE gateway_transaction ADD COLUMN next_version text")
    this.addSql('CREATE INDEX "IDX_gateway_transaction_next_version" ON gateway_transaction (next_version)')
  }
}
`

/** Compiles the store once more into `home`, as a version that has one migration more. Returns its folder. */
export function compileNextVersion(home) {
  const more = join(home, "next-version-sources")
  const folder = join(home, "next-version")
  mkdirSync(join(more, "modules/gateway/migrations"), { recursive: true })
  writeFileSync(join(more, "modules/gateway/migrations", `${NAME}.ts`), MIGRATION)
  compileStore(folder, more)
  rmSync(more, { recursive: true })
  return folder
}

/** Changes the tables as the version in `folder` has them, while the processes of the old one still run. */
export function migrate(folder, { home, environment, addresses }) {
  return medusa(["db:migrate", "--skip-scripts"], {
    cwd: folder,
    env: { ...environment("migration"), DATABASE_URL: addresses.direct },
    log: join(home, "logs/migrate.log"),
  })
}

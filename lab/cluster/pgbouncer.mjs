import { chownSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { accepts } from "./programs.mjs"

/** Connections that PgBouncer opens to PostgreSQL, for all processes together. */
const SERVER_CONNECTIONS = 40
const CLIENT_CONNECTIONS = 500

/**
 * The configuration of PgBouncer: one database, a server connection for each transaction.
 * @param options.port where it listens, `options.server` the port of PostgreSQL
 * @param options.users the file with the names and passwords
 */
export function pgbouncerConfiguration({ port, server, database, admin, users }) {
  return `[databases]
${database} = host=127.0.0.1 port=${server} dbname=${database}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
admin_users = ${admin}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = ${CLIENT_CONNECTIONS}
; pg sends them when databaseDriverOptions sets them. PgBouncer cannot keep them: set them on the database's role.
ignore_startup_parameters = extra_float_digits,idle_in_transaction_session_timeout,statement_timeout,lock_timeout
; The default of 15 seconds would make each restart of PostgreSQL an outage of 15 seconds.
server_login_retry = 1
query_wait_timeout = 30
`
}

/** A line of PgBouncer's file of passwords: both in quotes, a quote doubled. */
export function userLine(name, password) {
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`
  return `${quoted(name)} ${quoted(password)}\n`
}

/**
 * The settings of PgBouncer's process (program.mjs). It refuses to run as root: then it runs as PostgreSQL's user, and
 * its files are where that user can read them.
 * @param options.url address of the database at PostgreSQL, `options.user` PostgreSQL's user, `options.folder` its own
 */
export function pgbouncer({ program, folder, user, url, port, log }) {
  const { username, password, port: server, pathname } = new URL(url)
  const admin = decodeURIComponent(username)
  const users = join(folder, "users.txt")
  const file = join(folder, "pgbouncer.ini")
  const database = decodeURIComponent(pathname.slice(1))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(users, userLine(admin, decodeURIComponent(password)), { mode: 0o600 })
  writeFileSync(file, pgbouncerConfiguration({ port, server, database, admin, users }), { mode: 0o600 })
  for (const path of user ? [folder, users, file] : []) {
    chownSync(path, user.uid, user.gid)
  }
  return {
    role: "connection pooler",
    port,
    log,
    user,
    cwd: folder,
    command: [program, file],
    ready: () => accepts(port),
  }
}

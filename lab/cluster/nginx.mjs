import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { accepts } from "./programs.mjs"

/** Longer than Medusa waits for a connection to the database (60 seconds): the store's own answer arrives. */
const READ_SECONDS = 90
/** A move of the sandbox's clock does all that falls due. */
const CLOCK_READ_SECONDS = 600
/** Longer than nginx keeps an idle connection to a process: a process that closes one first loses the next request. */
export const UPSTREAM_IDLE_SECONDS = 60

/**
 * The configuration of the proxy. The log has no paths: those of payment pages, invoices and the portal open them.
 * @param options.stores ports of the stores
 * @param options.user set for root, who else would have nginx's workers run as somebody who cannot read the folder
 */
export function nginxConfiguration({ folder, log, port, stores, user }) {
  const servers = stores.map((one) => `    server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join("\n")
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `  ${name}_temp_path ${folder}/temp-${name};`)
    .join("\n")
  return `daemon off;
worker_processes 1;
${user ? `user ${user};\n` : ""}pid ${folder}/nginx.pid;
error_log ${log} warn;
events { worker_connections 1024; }
http {
  log_format answered '$time_iso8601 $request_id_sent $request_method $status $upstream_addr $upstream_status $request_time';
  access_log ${folder}/answered.log answered;
${temporary}
  server_tokens off;
  client_max_body_size 10m;
  # An id that the client has sent is kept, so that one id finds a request in every log.
  map $http_x_request_id $request_id_sent { default $http_x_request_id; "" $request_id; }
  upstream stores {
${servers}
    keepalive 32;
    keepalive_timeout ${UPSTREAM_IDLE_SECONDS}s;
  }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-Proto $scheme;
    # Not appended to what the client sent: this proxy is the first one, and anybody can send the header.
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Request-Id $request_id_sent;
    proxy_connect_timeout 2s;
    proxy_read_timeout ${READ_SECONDS}s;
    # A POST that a process may have begun is never sent to another one, which would do it twice: no non_idempotent here.
    proxy_next_upstream error timeout;
    location ~* ^(/sandbox)?/api/v2/sandbox/clock$ {
      proxy_read_timeout ${CLOCK_READ_SECONDS}s;
      proxy_pass http://stores;
    }
    location / { proxy_pass http://stores; }
  }
}
`
}

/** The settings of nginx's process (program.mjs). */
export function nginx({ program, folder, log, ...rest }) {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  const file = join(folder, "nginx.conf")
  const user = process.getuid?.() === 0 ? "root root" : null
  writeFileSync(file, nginxConfiguration({ ...rest, folder, log, user }), { mode: 0o600 })
  return {
    role: "proxy",
    port: rest.port,
    log,
    command: [program, "-p", folder, "-c", file, "-e", log],
    ready: () => accepts(rest.port),
  }
}

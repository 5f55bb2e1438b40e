/*
 * The demo's e-mails at /demo/mail: no mail leaves this machine. They are Medusa's own notifications, read from the
 * store's database. A text and its links only: what somebody typed may be in it.
 */
const { Pool } = require("@medusajs/framework/pg")

const MOST = 50
const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}article{border-top:1px solid #ccc;padding:1rem 0}"
const MAILS = `SELECT "to", template, data, created_at FROM notification
  WHERE channel = 'email' AND deleted_at IS NULL ORDER BY created_at DESC LIMIT $1`

const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one])
const linked = (text) =>
  escaped(text).replace(/https?:\/\/[^\s&]+(?:&amp;[^\s&]+)*/g, (url) => `<a href="${url}">${url}</a>`)

function article({ to, template, data, created_at }) {
  const { subject = template, text = JSON.stringify(data, null, 2) } = data ?? {}
  return `<article><h2>${escaped(subject)}</h2><p>${escaped(to)}, ${escaped(created_at.toISOString())}</p><pre>${linked(text)}</pre></article>`
}

/** Adds the page to an Express app. `url` is the store's database. */
function addOutbox(app, url) {
  const pool = new Pool({ connectionString: url, max: 1 })
  app.get("/demo/mail", (_request, response, next) => {
    pool
      .query(MAILS, [MOST])
      .then(({ rows }) => {
        response.set({
          "Cache-Control": "no-store",
          "Content-Security-Policy":
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        })
        const mails = rows.map(article).join("") || "<p>No e-mail has been sent yet.</p>"
        response
          .type("html")
          .send(
            `<!doctype html><meta charset="utf-8"><title>E-mails</title><style>${STYLE}</style><h1>E-mails</h1>${mails}`
          )
      })
      .catch(next)
  })
}

module.exports = { addOutbox }

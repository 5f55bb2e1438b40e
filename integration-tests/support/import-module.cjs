// An import() that stays one: in TypeScript files the compiler turns it into require(), which cannot load ES modules.
module.exports.importModule = (path) => import(path)

const vm = require("node:vm")
const { TestEnvironment } = require("jest-environment-node")

const { createContext } = vm

/**
 * jest's environment for Node, with a plain global object. In the one that `vm.createContext` makes by default, each use
 * of a global goes through an interceptor: about 50 times as slow. Node before 20.18 has no other and gets that one.
 */
module.exports = class extends TestEnvironment {
  constructor(...args) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(...args)
    } finally {
      vm.createContext = createContext
    }
  }
}

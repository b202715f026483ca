import { defineConfig } from 'vitest/config'

// Run inside a test host only (test/hosts/main.ts): these suites change the machine that they run on.
// biome-ignore lint/style/noDefaultExport: vitest reads it
export default defineConfig({
  test: { include: ['test/hosts/*.suite.ts'], pool: 'threads', isolate: false, testTimeout: 60_000, cache: false },
})

import { defineConfig } from 'vitest/config'

// Unit tests share one process per worker (no isolation): they must leave no global behind (CONTRIBUTING.md).
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/unit/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
